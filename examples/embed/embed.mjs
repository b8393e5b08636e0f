// Detent inside a program of your own: a policy, a host function as a hook, an operation with hooks around it.
//   node examples/embed/embed.mjs
import { fileURLToPath } from "node:url"
import { createEngine, loadPolicy } from "detent/node"

const shout = ({ result }) => ({ apply: { result: `${result}!` } })

const policy = await loadPolicy(fileURLToPath(new URL("../hello/detent.yaml", import.meta.url)))

const engine = await createEngine({
  policy,
  hooks: [{ on: "call", phase: "onSuccess", effect: "apply", id: "shout", fn: shout }],
  ask: async ({ questions }) => questions.map(() => "yes"),
})

const event = { server: "cluster", tool: "run_command", args: { command: "kubectl apply -f deploy/" } }
const verdict = await engine.around("call", event, ({ command }) => `did ${command}`)
console.log(verdict.outcome, verdict.result)

const refused = await engine.around("call", { server: "fs", tool: "read_file", args: { path: ".env" } }, () => "never")
console.log(refused.outcome, refused.error.message)

await engine.close()
