/** `fire` with `rule` hooks, against what a person would write by hand, and against three peers. */
import { isDeepStrictEqual } from "node:util"
import { nodePorts } from "../actions/ports.ts"
import { createEngine } from "../engine/engine.ts"
import type { Verdict } from "../frames/frames.ts"
import type { Policy } from "../policy/policy.ts"
import { advisingByHand, refusingByHand } from "./hand-written.ts"
import { type Case, measure, table } from "./harness.ts"
import { type Asked, PEERS } from "./peers.ts"
import { advising, eventsOf, refusing, rulesOf } from "./workload.ts"

const rules = rulesOf(1000, 50)
const events = eventsOf(rules)

const fireOf = (policy: Policy) => {
  const engine = createEngine({ policy, ports: { ...nodePorts, actions: {} } })
  return (index: number) => engine.fire("call", "before", events[index & 63]!)
}

/** Both make the same frames and verdict, times apart, or the comparison is worth nothing. */
async function same(ours: (index: number) => Promise<Verdict>, theirs: typeof ours): Promise<void> {
  const still = (verdict: Verdict) =>
    JSON.parse(JSON.stringify(verdict, (key, value) => (key === "durationMs" ? 0 : value)))
  for (const index of events.keys()) {
    const [a, b] = [still(await ours(index)), still(await theirs(index))]
    if (!isDeepStrictEqual(a, b)) throw new Error(`they differ:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`)
  }
}

const fire = fireOf(refusing(rules))
const hand = refusingByHand(rules)
const byHand = (index: number) => hand(events[index & 63]!)
await same(fire, byHand)

const asked: readonly Asked[] = events.map(({ args }) => ({ server: "fs", tool: "write_file", path: args.path }))
const peers: Record<string, Case> = {}
for (const [name, make] of Object.entries(PEERS)) {
  const decides = await make(rules)
  for (const index of events.keys()) {
    const goesOn = (await fire(index)).outcome === "continue"
    if (decides(asked[index]!) !== goesOn) throw new Error(`${name} decides otherwise on ${asked[index]!.path}`)
  }
  peers[name] = (index) => decides(asked[index & 63]!)
}
const rows = await measure({ "by hand, the same frames": byHand, "detent fire": fire, ...peers })
const title = "1000 hooks, 50 concern the event, one event in eight is refused"
console.log(table(title, rows.slice(0, 2)))
console.log(table("the same, and peers that answer yes or no", rows.slice(1)))

const adviser = fireOf(advising(rules))
const advice = advisingByHand(rules)
const adviceByHand = (index: number) => advice(events[index & 63]!)
await same(adviser, adviceByHand)
const advices = await measure({ "by hand, the same frames": adviceByHand, "detent fire": adviser })
console.log(table("1000 hooks, 50 concern the event, every one advises", advices))
