import { isObject, type JsonObject } from "../../effects/json.ts"
import { type Hear, type Heard, heard, type Moment, NOTHING, objectIn, stopped, told, unread, words } from "./heard.ts"

/** Under which names a host that answers with one flat object says things. */
interface Names {
  readonly decision: string
  readonly reasons: readonly string[]
  readonly input: string
}

const CURSOR: Names = {
  decision: "permission",
  reasons: ["agent_message", "user_message", "agentMessage", "userMessage"],
  input: "updated_input",
}
const COPILOT: Names = { decision: "permissionDecision", reasons: ["permissionDecisionReason"], input: "modifiedArgs" }

const hearFlat =
  (names: Names, after: (moment: Moment, value: JsonObject) => Heard): Hear =>
  (moment, { code, stdout, stderr }) => {
    const text = withoutProgress(stdout)
    if (code === 2) return heard(stopped(moment, words(stderr) ?? "the hook ended with 2"))
    if (code !== 0) return { failed: `it ended with ${code}` }
    if (text === "") return NOTHING
    const value = objectIn(text)
    if (!value) return unread(moment, text)
    const before = moment.row.on === "call" && moment.row.phases[0] === "before"
    return before ? decided(names, value) : after(moment, value)
  }

/** Lines that tell how far it is are no answer. */
const withoutProgress = (stdout: string): string =>
  stdout
    .split("\n")
    .filter((line) => objectIn(line)?.type !== "progress")
    .join("\n")
    .trim()

function decided({ decision, reasons, input }: Names, value: JsonObject): Heard {
  const reason = reasons.map((name) => words(value[name])).find((text) => text !== undefined)
  const replaced = value[input]
  if (replaced !== undefined && !isObject(replaced)) return { failed: `its \`${input}\` is no object` }
  switch (value[decision]) {
    case "deny":
      return heard({ refuse: reason ?? "the hook denies it" })
    case "ask":
      return heard({ ask: reason ?? "a hook asks: may it go on?", propose: replaced && { input: replaced } })
    case "allow":
    case undefined:
      return heard({ apply: replaced && { input: replaced }, advise: told(reason) })
    default:
      return { failed: "its decision is none that the host knows" }
  }
}

export const hearCursor: Hear = hearFlat(CURSOR, (moment, value) => {
  const { followup_message: goOn } = value
  if (value.continue === false) return heard(stopped(moment, words(value.user_message) ?? "the hook stops the prompt"))
  if (moment.row.refuse === "goes on" && words(goOn)) return heard({ refuse: words(goOn) })
  return heard({ advise: told(value.additional_context) })
})

export const hearCopilot: Hear = hearFlat(COPILOT, (moment, value) => {
  const { modifiedResult: result, behavior, decision } = value
  const advise = told(value.additionalContext)
  if (moment.row.on === "permission") {
    return heard({ refuse: behavior === "deny" ? (words(value.message) ?? "the hook denies it") : undefined })
  }
  if (decision === "block") return heard({ ...stopped(moment, words(value.reason) ?? "the hook blocks it") })
  if (moment.row.phases[0] !== "onSuccess" || moment.row.on !== "call") return heard({ advise })
  return heard({ apply: result === undefined ? undefined : { result }, advise })
})
