import { isObject, type JsonObject } from "../../effects/json.ts"
import { type Hear, type Heard, heard, type Moment, NOTHING, objectIn, stopped, told, unread, words } from "./heard.ts"

/** Gemini CLI: JSON decides whatever the exit code; else 2 and above stops, with the text. */
export const hearGemini: Hear = (moment, { code, stdout, stderr }) => {
  const text = words(stdout) ?? words(stderr) ?? ""
  const value = objectIn(text)
  if (value) return answered(moment, value)
  if (code >= 2) return heard(stopped(moment, words(stderr) ?? words(stdout) ?? `the hook ended with ${code}`))
  if (code !== 0) return { failed: `it ended with ${code}` }
  return words(stdout) === undefined ? NOTHING : unread(moment, text)
}

function answered(moment: Moment, value: JsonObject): Heard {
  const { decision, reason } = value
  const specific = isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {}
  const advise = told(specific.additionalContext, value.systemMessage)
  if (value.continue === false || decision === "deny" || decision === "block") {
    const why = words(reason) ?? words(value.stopReason) ?? "the hook denies it"
    return heard({ advise, ...stopped(moment, why) })
  }
  if (decision === "ask") return heard({ ask: words(reason) ?? "a hook asks: may it go on?", advise })
  if (decision !== undefined && decision !== "allow" && decision !== "approve") {
    return { failed: "its decision is none that the host knows" }
  }
  const { tool_input: input } = specific
  if (input === undefined || moment.row.on !== "call") return heard({ advise })
  if (!isObject(input)) return { failed: "its `tool_input` is no object" }
  const args = isObject(moment.event.args) ? moment.event.args : {}
  return heard({ apply: { input: { ...args, ...input } }, advise })
}
