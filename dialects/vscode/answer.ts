import { type Answer, type Dialect, said, saying } from "../dialect.ts"
import { lines } from "../lines.ts"

export const answer: Dialect["answer"] = ({ name, row }, { go, reason, input, advice, notices }): Answer => {
  const refused = go === "refuse"
  const context = row.advise === "model" ? lines(advice) : undefined
  const systemMessage = lines([...(row.advise === "user" ? advice : []), ...notices])
  const specific = (members: Record<string, unknown>) => {
    const some = said({ ...members, additionalContext: context })
    return some && { hookEventName: name, ...some }
  }
  const block = refused ? { decision: "block", reason } : {}
  if (row.on === "call" && row.phases[0] === "before") {
    const decision =
      go === "on" ? {} : { permissionDecision: refused ? "deny" : "ask", permissionDecisionReason: reason }
    const updatedInput = refused ? undefined : input
    return saying({ hookSpecificOutput: specific({ ...decision, updatedInput }), systemMessage })
  }
  if (row.on === "prompt") return saying({ ...(refused ? { continue: false, stopReason: reason } : {}), systemMessage })
  // The end of a turn is refused inside, that of a subagent and a result's beside.
  if (row.on === "turn") return saying({ hookSpecificOutput: specific(block), systemMessage })
  return saying({ ...block, hookSpecificOutput: specific({}), systemMessage })
}
