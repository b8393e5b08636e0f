/** The cost of a decision, and of memory, as the policy grows and what concerns the event does not. */
import { nodePorts } from "../actions/ports.ts"
import { createEngine } from "../engine/engine.ts"
import { measure, table } from "./harness.ts"
import { eventsOf, refusing, rulesOf } from "./workload.ts"

const engineOf = (policy: ReturnType<typeof refusing>) => createEngine({ policy, ports: { ...nodePorts, actions: {} } })

const cases = Object.fromEntries(
  [10, 100, 1000, 10_000].map((n) => {
    const rules = rulesOf(n, 5)
    const engine = engineOf(refusing(rules))
    const events = eventsOf(rules)
    return [`${n} hooks`, (index: number) => engine.fire("call", "before", events[index & 63]!)]
  }),
)
console.log(table("5 of N hooks concern the event", await measure(cases)))

function heap(): number {
  globalThis.gc!()
  return process.memoryUsage().heapUsed / 1e6
}

const rules = rulesOf(10_000, 5)
const events = eventsOf(rules)
const empty = heap()
const policy = refusing(rules)
const read = heap()
const engine = engineOf(policy)
for (const event of events) await engine.fire("call", "before", event)
const used = heap()
console.log(
  `\n10,000 hooks: ${(used - empty).toFixed(1)} MB of heap, ${(read - empty).toFixed(1)} of them the policy itself`,
)
// Still in use, or the garbage collector would have been right to take it.
await engine.close()
