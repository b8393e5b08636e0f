import { type Answer, type Dialect, SILENT, saying } from "../dialect.ts"
import { lines } from "../lines.ts"

/** Cursor's answers are flat, and each event has its own. */
export const answer: Dialect["answer"] = ({ row }, { go, reason, input, advice, notices }): Answer => {
  const told = lines([...advice, ...notices])
  const moment = `${row.on} ${row.phases[0]}`
  if (moment === "call before") {
    const decision = go === "refuse" ? "deny" : go === "ask" ? "ask" : undefined
    // Only where the operator has opted in is there an input, and Cursor hears it beside a permission.
    const replaced = go === "on" && input ? { permission: "allow", updated_input: input } : {}
    const said = decision && { permission: decision, user_message: reason }
    const toModel = lines([...(decision ? [reason] : []), ...advice, ...notices])
    return saying({ ...replaced, ...said, agent_message: toModel })
  }
  if (moment === "prompt before") return go === "refuse" ? saying({ continue: false, user_message: reason }) : SILENT
  if (moment === "call onSuccess") {
    return saying({ additional_context: lines([...(go === "refuse" ? [reason] : []), ...(told ? [told] : [])]) })
  }
  return row.refuse === "goes on" && go === "refuse" ? saying({ followup_message: reason }) : SILENT
}
