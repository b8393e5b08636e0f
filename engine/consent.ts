import type { JsonObject } from "../effects/json.ts"
import { isObject } from "../effects/json.ts"
import type { AskedQuestion, Verdict } from "../frames/frames.ts"
import type { Policy } from "../policy/policy.ts"
import type { Core, Operation, Overrides } from "./operation.ts"
import { goesOn, NO_ANSWER, putTo, refusalOf } from "./questions.ts"

/** The setting that stands behind the gate, and the name under which the gate asks. */
const GATE = "elicit.confirmDestructive"

/** Absent means destructive, as MCP says. */
const isDestructive = ({ readOnlyHint, destructiveHint }: JsonObject): boolean =>
  readOnlyHint !== true && destructiveHint !== false

/** What the operator says of tools, where the policy wants to be asked before destructive calls; else undefined. */
export function consentOf({ confirmDestructive, servers }: Policy): Overrides | undefined {
  if (!confirmDestructive) return undefined
  return (server, tool) => {
    const said = Object.hasOwn(servers, server) ? servers[server]?.annotations : undefined
    return said && Object.hasOwn(said, tool) ? said[tool] : undefined
  }
}

/**
 * Asks before a destructive call is sent, whoever caused it; the answer is why it may not be, or undefined.
 *
 * INVARIANT: only the server's own word and the operator's count, and no way to ask is a refusal (test/engine/consent.test.ts).
 */
export async function withoutConsent(core: Core, op: Operation, event: JsonObject): Promise<Verdict["refusal"]> {
  if (!core.consent || op.on !== "call") return undefined
  const [server, tool] = [String(event.server), String(event.tool)]
  const own = event.annotations ?? (await core.ports.annotations?.(server, tool))
  if (!isDestructive({ ...(isObject(own) ? own : {}), ...core.consent(server, tool) })) return undefined
  const question: AskedQuestion = { hook: GATE, question: `\`${server}/${tool}\` may destroy something: go on?` }
  if (!op.ask) {
    return { hook: GATE, reason: `nobody can be asked here: ${question.question}`, code: "unanswered" }
  }
  const answers = await putTo(op.ask, { core, op, event }, [question])
  // Here somebody waits for the call: what is answered another time is not answered.
  const [answer = NO_ANSWER] = answers === "open" ? [] : answers
  return goesOn({ question, answer }) ? undefined : refusalOf({ question, answer })
}
