import { isDeepStrictEqual } from "node:util"
import { nodePorts } from "../actions/ports.ts"
import { createEngine } from "../engine/engine.ts"
import type { Verdict } from "../frames/frames.ts"
import { NOTHING } from "../settings/nothing.ts"
import { measure, table } from "./harness.ts"
import { advisersOf, eventsOf, handWritten, hooksOf } from "./workload.ts"

const engineOf = (hooks: ReturnType<typeof hooksOf>) =>
  createEngine({ policy: { ...NOTHING, hooks }, ports: { ...nodePorts, actions: {} } })

/** Both make the same frames and verdict, times apart, or the comparison is worth nothing. */
const still = (verdict: Verdict) =>
  JSON.parse(JSON.stringify(verdict, (key, value) => (key === "durationMs" ? 0 : value)))

for (const [title, make] of [
  ["1000 hooks, 50 concern the event, one event in eight refused", hooksOf],
  ["1000 hooks, 50 concern the event and every one advises", advisersOf],
] as const) {
  const hooks = make(1000, 50)
  const events = eventsOf(1000, 50)
  const engine = engineOf(hooks)
  const byHand = handWritten(hooks)
  for (const event of events) {
    const [a, b] = [still(await engine.fire("call", "before", event)), still(await byHand(event))]
    if (!isDeepStrictEqual(a, b)) throw new Error(`they differ:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`)
  }
  const rows = await measure({
    "hand-written, the same frames": (i) => byHand(events[i & 63]!),
    "detent fire": (i) => engine.fire("call", "before", events[i & 63]!),
  })
  console.log(table(title, rows))
}

const flat = Object.fromEntries(
  [10, 100, 1000, 10_000].map((n) => {
    const engine = engineOf(hooksOf(n, 5))
    const events = eventsOf(n, 5)
    return [`N = ${n}`, (i: number) => engine.fire("call", "before", events[i & 63]!)]
  }),
)
console.log(table("5 of N concern the event", await measure(flat)))

globalThis.gc?.()
const before = process.memoryUsage().heapUsed
const policy = { ...NOTHING, hooks: hooksOf(10_000, 5) }
globalThis.gc?.()
const data = process.memoryUsage().heapUsed
const large = createEngine({ policy, ports: { ...nodePorts, actions: {} } })
await large.fire("call", "before", eventsOf(10_000, 5)[0]!)
globalThis.gc?.()
const after = process.memoryUsage().heapUsed
const mb = (bytes: number) => (bytes / 1e6).toFixed(1)
console.log(`\n10,000 hooks: policy ${mb(data - before)} MB, engine ${mb(after - data)} MB more (run with --expose-gc)`)
