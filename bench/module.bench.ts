/** A warm `module` hook through its worker thread, against a bare round trip of the same event to a thread. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { Worker } from "node:worker_threads"
import { createEngine } from "../actions/engine.ts"
import { complete } from "../policy/complete.ts"
import { NOTHING } from "../settings/nothing.ts"
import { spreadOf } from "./harness.ts"

const folder = mkdtempSync(join(tmpdir(), "detent-bench-"))
const path = join(folder, "advise.mjs")
writeFileSync(path, 'export default ({ tool }) => ({ advise: "looked at " + tool })\n')

const hook = complete({ on: "call", phase: "before", action: { kind: "module", path } }, "look", [])
const engine = await createEngine({ policy: { ...NOTHING, hooks: [hook] } })
const event = { server: "fs", tool: "write_file", args: { path: "/repo/src/x.ts", content: "x".repeat(600) } }
const ours = async () => {
  const { advice } = await engine.fire("call", "before", event)
  if (advice.length !== 1) throw new Error("the module did not answer")
}

const worker = new Worker(
  'const { parentPort } = require("node:worker_threads")\n' +
    'parentPort.on("message", ({ tool }) => parentPort.postMessage({ advise: "looked at " + tool }))',
  { eval: true },
)
const bare = () =>
  new Promise((resolve) => {
    worker.once("message", resolve)
    worker.postMessage(event)
  })

/** Microseconds of each of so many calls, in order of length. */
async function times(run: () => Promise<unknown>, calls: number): Promise<readonly number[]> {
  const found = []
  for (let call = 0; call < calls; call++) {
    const began = performance.now()
    await run()
    found.push((performance.now() - began) * 1000)
  }
  return found.sort((a, b) => a - b)
}

const CALLS = 500
const cases = [
  { name: "bare round trip", run: bare, p50: [] as number[], p99: [] as number[] },
  { name: "detent module", run: ours, p50: [] as number[], p99: [] as number[] },
]
for (const { run } of cases) await times(run, 5 * CALLS)
for (let round = 0; round < 31; round++) {
  for (const { run, p50, p99 } of round % 2 ? [...cases].reverse() : cases) {
    const sorted = await times(run, CALLS)
    p50.push(sorted[CALLS * 0.5]!)
    p99.push(sorted[CALLS * 0.99]!)
  }
}
const lines = cases.map(({ name, p50, p99 }) => {
  const { median, low, high } = spreadOf(p50)
  const ratio = spreadOf(p50.map((one, round) => one / cases[0]!.p50[round]!)).median
  const shown = [median, low, high, spreadOf(p99).median].map((micros) => micros.toFixed(0))
  return `| ${name} | ${shown[0]} µs | ${shown[1]}–${shown[2]} | ${ratio.toFixed(2)}x | ${shown[3]} µs |`
})
const head = ["| case | p50, median of rounds | middle half | ratio | p99 |", "|---|---|---|---|---|"]
console.log(["\n### a module that is loaded\n", ...head, ...lines].join("\n"))

await Promise.all([worker.terminate(), engine.close()])
rmSync(folder, { recursive: true })
