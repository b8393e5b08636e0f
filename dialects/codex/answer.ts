import { type Answer, type Dialect, said, saying } from "../dialect.ts"
import { lines } from "../lines.ts"

/** Codex takes no key that it does not know, no bare `allow`, and no reason that is blank: such an answer would count for nothing. */
export const answer: Dialect["answer"] = ({ name, row, event }, ruling): Answer => {
  const { go, reason, input, advice, notices } = ruling
  const moment = `${row.on} ${row.phases[0]}`
  const systemMessage =
    row.advise === "stderr" ? undefined : lines([...(row.advise === "user" ? advice : []), ...notices])
  const context = row.advise === "model" ? lines(advice) : undefined
  const specific = (members: Record<string, unknown>) => {
    const some = said(members)
    return some && { hookEventName: name, ...some }
  }
  if (moment === "call before") {
    const refused = go === "refuse" ? reason : input && !carried(event.tool, input) ? UNCARRIED : undefined
    const grants = input && refused === undefined ? { permissionDecision: "allow", updatedInput: input } : {}
    const denies = refused === undefined ? {} : { permissionDecision: "deny", permissionDecisionReason: refused }
    return saying({
      hookSpecificOutput: specific({ ...grants, ...denies, additionalContext: context }),
      systemMessage,
    })
  }
  if (moment === "permission before") {
    const decision = go === "refuse" ? { behavior: "deny", message: reason } : undefined
    return saying({ hookSpecificOutput: specific({ decision }), systemMessage })
  }
  if (moment === "compact before") {
    return saying(go === "refuse" ? { continue: false, stopReason: reason, systemMessage } : { systemMessage })
  }
  const blocks = go === "refuse" ? { decision: "block", reason } : {}
  return saying({ ...blocks, hookSpecificOutput: specific({ additionalContext: context }), systemMessage })
}

const UNCARRIED = "a hook replaced the command by what Codex does not take: it wants a text under `command`"

const carried = (tool: unknown, input: Record<string, unknown>): boolean =>
  (tool !== "Bash" && tool !== "apply_patch") || typeof input.command === "string"
