import type { JsonObject } from "../../effects/json.ts"
import { complete } from "../../policy/complete.ts"
import type { Hook, HostContext } from "../../policy/policy.ts"
import { type Host, runChain } from "./chain.ts"
import { CHAINS } from "./chains.ts"
import type { CompiledEntry, CompiledHooks } from "./compile.ts"
import { EVENT_NAMES, EVENTS, type EventName } from "./events.ts"

/** Milliseconds that a chain has beyond the time of all its hooks: none of them may take the others' with it. */
const SLACK_MS = 1_000

/**
 * The hooks of each event as one hook of the engine, so that to the rest of a policy they are one.
 *
 * A group never looks again: it stands last, so that nobody rewrites what it has seen, and its functions run once for each
 * call. It is closed all the same, where something stops when a hook fails: an end of the whole operation's time is one.
 */
export function groupHooks(hooks: CompiledHooks, host: Host): Hook[] {
  const idOf = operationIds(host)
  return EVENT_NAMES.flatMap((event) => {
    const entries = hooks[event]
    return entries ? [groupOf(event, entries, host, idOf)] : []
  })
}

function groupOf(
  event: EventName,
  entries: readonly CompiledEntry[],
  host: Host,
  idOf: (operation: object) => string,
): Hook {
  const { on, phase, effect, failing } = EVENTS[event]
  const fn = (moment: JsonObject, context: HostContext) => {
    const { server, caller } = moment
    const { operation } = context
    const surroundings = { assigns: {}, ...host.surroundings?.(operation) }
    const about = { ...surroundings, server: String(server), principal: caller as JsonObject }
    const chain = CHAINS[event](moment, idOf(operation), host)
    return runChain(chain, entries, host, about, context)
  }
  return complete(
    {
      on,
      phase,
      effect,
      failure: failing === "nothing" ? "open" : "closed",
      recheck: false,
      // What a failing hook was to look at is withheld from frames, too.
      redact: failing === "result",
      timeoutMs: entries.reduce((sum, { timeout }) => sum + timeout, SLACK_MS),
      action: { kind: "function", fn },
    },
    event,
    [{ layer: "host" }],
  )
}

/** The same id for all moments of one operation. */
function operationIds({ id }: Host): (operation: object) => string {
  const known = new WeakMap<object, string>()
  return (operation) => {
    const made = known.get(operation) ?? id()
    known.set(operation, made)
    return made
  }
}
