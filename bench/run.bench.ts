/** A `run` hook against a bare spawn of the same program, JSON in and out, from a small parent and from a large one. */
import { spawn } from "node:child_process"
import { createEngine } from "../actions/engine.ts"
import { complete } from "../policy/complete.ts"
import { NOTHING } from "../settings/nothing.ts"
import { measure, table } from "./harness.ts"

/** Answers the event itself: none of its members is a key of an output, so all are reported and none counts. */
const ARGV = ["/bin/cat"] as const

const hook = complete({ on: "call", phase: "before", effect: "apply", action: { kind: "run", argv: ARGV } }, "echo", [
  { layer: "project", source: "bench.yaml", line: 1 },
])
const event = { server: "fs", tool: "write_file", args: { path: "/repo/src/x.ts", content: "x".repeat(600) } }
const body = JSON.stringify({ on: "call", phase: "before", ...event })

const bare = () =>
  new Promise((resolve, reject) => {
    const child = spawn(ARGV[0], { stdio: "pipe" })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part
    })
    child.on("error", reject)
    child.on("close", () => resolve(JSON.parse(text)))
    child.stdin.end(body)
  })

const engine = await createEngine({ policy: { ...NOTHING, hooks: [hook] } })
const ours = async () => {
  const { frames } = await engine.fire("call", "before", event)
  const [frame] = frames
  if (frame?.type !== "hook" || frame.failed || !frame.dropped) throw new Error(JSON.stringify(frames))
}

const cases = { "bare spawn": bare, "detent run": ours }
console.log(table("one program, JSON both ways", await measure(cases, { rounds: 31, ms: 60 })))

const held = Buffer.alloc(1e9, 1)
// The first spawn of a large parent starts the helper that spawns for it from then on.
for (let call = 0; call < 20; call++) await ours()
const title = `the same, from a parent that holds ${held.length / 1e9} GB`
console.log(table(title, await measure(cases, { rounds: 15, ms: 120 })))
await engine.close()
