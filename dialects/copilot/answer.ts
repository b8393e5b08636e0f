import { type Answer, type Dialect, SILENT, saying } from "../dialect.ts"
import { lines } from "../lines.ts"

/** Copilot reads one flat object, and any exit code but 0 before a tool as a refusal without a reason. */
export const answer: Dialect["answer"] = ({ row }, { go, reason, input, result, advice, notices }): Answer => {
  const refused = go === "refuse"
  const moment = `${row.on} ${row.phases[0]}`
  if (moment === "call before") {
    if (go !== "on") return saying({ permissionDecision: refused ? "deny" : "ask", permissionDecisionReason: reason })
    return input ? saying({ permissionDecision: "allow", modifiedArgs: input }) : SILENT
  }
  if (moment === "call onSuccess") {
    const replaced = refused ? success(`withheld: ${reason}`) : result && resultOf(result.value)
    return saying({ modifiedResult: replaced, additionalContext: lines([...advice, ...notices]) })
  }
  if (moment === "permission before") return refused ? saying({ behavior: "deny", message: reason }) : SILENT
  return row.refuse === "goes on" && refused ? saying({ decision: "block", reason }) : SILENT
}

const success = (text: string) => ({ resultType: "success", textResultForLlm: text })

const resultOf = (value: unknown) =>
  typeof value === "object" && value !== null && "textResultForLlm" in value
    ? success(String(value.textResultForLlm))
    : success(typeof value === "string" ? value : JSON.stringify(value))
