import { isObject, type JsonObject } from "../../effects/json.ts"
import { type Hear, type Heard, heard, type Moment, NOTHING, objectIn, stopped, told, unread, words } from "./heard.ts"

/** In what the hosts differ that speak as Claude Code does. */
interface Ways {
  /** an exit code of 2 with nothing on stderr stops, too */
  readonly blank: boolean
  /** JSON is read whatever the exit code */
  readonly always: boolean
  /** takes questions, and `allow` without a rewrite */
  readonly asks: boolean
  /** what `decision: block` does to a result */
  readonly result: "tells" | "withholds"
}

export const CLAUDE_WAYS: Ways = { blank: true, always: true, asks: true, result: "tells" }
export const CODEX_WAYS: Ways = { blank: false, always: false, asks: false, result: "withholds" }
export const VSCODE_WAYS: Ways = { blank: true, always: false, asks: true, result: "tells" }

export const hearClaude =
  (ways: Ways): Hear =>
  (moment, { code, stdout, stderr }) => {
    const text = stdout.trim()
    if (code === 2 && moment.row.on !== "permission") {
      const reason = words(stderr)
      if (reason === undefined && !ways.blank) return { failed: "2 without a reason on stderr counts for nothing" }
      return heard(blocked(ways, moment, reason ?? "the hook ended with 2"))
    }
    if (text.startsWith("{") && (code === 0 || ways.always)) {
      const value = objectIn(text)
      if (value) return answered(ways, moment, value)
    }
    if (code !== 0) return { failed: `it ended with ${code}` }
    if (text === "") return NOTHING
    const isContext = !text.startsWith("{") && (moment.row.on === "prompt" || moment.name === "SessionStart")
    return isContext ? heard({ advise: text }) : unread(moment, text)
  }

function blocked({ result }: Ways, moment: Moment, reason: string): JsonObject {
  const ofResult = moment.row.on === "call" && moment.row.phases[0] === "onSuccess"
  return stopped(ofResult ? { ...moment, row: { ...moment.row, refuse: result } } : moment, reason)
}

function answered(ways: Ways, moment: Moment, value: JsonObject): Heard {
  const specific = isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {}
  if (Object.keys(specific).length > 0 && specific.hookEventName !== moment.name) {
    return { failed: `its \`hookSpecificOutput\` is not \`${moment.name}\`'s` }
  }
  const advise = told(specific.additionalContext, value.systemMessage)
  if (value.continue === false) {
    // Hosts stop the turn and may still run the tool: what was meant is that it does not go on.
    return heard({ ...blocked(ways, moment, words(value.stopReason) ?? "the hook stopped the turn"), ...more(advise) })
  }
  const { on, phases } = moment.row
  if (on === "call" && phases[0] === "before") return decided(ways, value, specific, advise)
  if (on === "permission") {
    const { behavior, message } = isObject(specific.decision) ? specific.decision : {}
    const refuse = behavior === "deny" ? (words(message) ?? "the hook denies it") : undefined
    return heard({ refuse, advise })
  }
  const { decision = specific.decision, reason = specific.reason } = value
  if (decision !== undefined && decision !== "block" && decision !== "approve") return { failed: UNKNOWN }
  const why = words(reason)
  if (decision === "block" && why === undefined && !ways.blank) {
    return { failed: "a block without a reason counts for nothing" }
  }
  const stop = decision === "block" ? blocked(ways, moment, why ?? "the hook blocked it") : {}
  const { updatedToolOutput: output } = specific
  return heard({ ...stop, ...(output === undefined ? {} : { apply: { result: output } }), ...joined(stop, advise) })
}

const UNKNOWN = "its decision is none that the host knows"

const more = (advise: readonly string[] | undefined): JsonObject => (advise ? { advise } : {})

/** What was told beside a block that is told itself. */
const joined = (stop: JsonObject, advise: readonly string[] | undefined): JsonObject =>
  stop.advise && advise ? { advise: [stop.advise, ...advise] } : more(advise)

/** Before a tool: one decision, perhaps with other arguments beside it. */
function decided(ways: Ways, value: JsonObject, specific: JsonObject, advise: readonly string[] | undefined): Heard {
  const legacy = value.decision === "block" ? "deny" : value.decision === "approve" ? "allow" : value.decision
  const decision = specific.permissionDecision ?? legacy
  const reason = words(specific.permissionDecisionReason) ?? words(value.reason)
  const input = specific.updatedInput
  if (input !== undefined && !isObject(input)) return { failed: "its `updatedInput` is no object" }
  if (!ways.asks && (decision === "ask" || (decision === "allow") !== (input !== undefined))) {
    return { failed: "the host does not take this answer" }
  }
  switch (decision) {
    case "deny":
    case "defer":
      if (reason === undefined && !ways.blank) return { failed: "a denial without a reason counts for nothing" }
      return heard({ refuse: reason ?? "the hook denies it", advise })
    case "ask":
      return heard({ ask: reason ?? "a hook asks: may it go on?", propose: input && { input }, advise })
    case "allow":
    case undefined:
      return heard({ apply: input && { input }, advise })
    default:
      return { failed: UNKNOWN }
  }
}
