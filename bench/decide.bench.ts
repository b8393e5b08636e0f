/** `detent decide` as an agent's hook starts it, once for each tool call, against Node that does nothing. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { measure, table } from "./harness.ts"

const folder = mkdtempSync(join(tmpdir(), "detent-bench-"))
// A certificate bundle costs every start of Node much more than what is measured here.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
const env = { ...inherited, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") }

/** `n` hooks, all but `concerned` of which are about other tools. */
const hooks = (n: number, concerned: number) =>
  Array.from({ length: n }, (_, index) => ({
    id: `h${index}`,
    on: "call",
    phase: "before",
    when: {
      tool: index % (n / concerned) === 0 ? "Write" : `tool${index}`,
      if: { glob: [{ var: "target.path" }, `**/secret${index}/**`] },
    },
    rule: { refuse: "secrets are not for agents: @target.path" },
    effect: "ask",
  }))

/** JSON is YAML too; the first decision leaves the compiled policy in the cache, and later ones take it from there. */
const policyOf = (n: number, concerned: number): string => {
  const file = join(folder, `${n}.yaml`)
  writeFileSync(file, JSON.stringify({ version: 1, hooks: hooks(n, concerned) }))
  return file
}

const event = JSON.stringify({
  on: "call",
  phase: "before",
  server: "claude-code",
  tool: "Write",
  args: { file_path: "/repo/secret0/key.txt", content: "x".repeat(600) },
})

/** Runs one process to its end. */
const started = (args: readonly string[], expected: number) => () =>
  new Promise<void>((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: "pipe" })
    child.stdout.resume()
    child.stderr.resume()
    child.stdin.on("error", () => {})
    child.on("close", (code) => (code === expected ? done() : fail(new Error(`exit ${code}: ${args.join(" ")}`))))
    child.stdin.end(event)
  })

const decide = (policy: string) => started([resolve("dist/bin.cjs"), "decide", "--policy", policy, "--event", "-"], 2)

const rows = await measure(
  {
    "node -e 0": started(["-e", "0"], 0),
    "detent decide, 10 hooks concern the event": decide(policyOf(10, 10)),
    "detent decide, 50 of 1000 hooks do": decide(policyOf(1000, 50)),
  },
  { rounds: 61, ms: 0 },
)
console.log(table("one process from its start to its end", rows))
rmSync(folder, { recursive: true })
