import { type Answer, type Dialect, type MomentRow, type Ruling, said, saying } from "../dialect.ts"
import { lines } from "../lines.ts"
import { withheld } from "../withhold.ts"

type Said = (ruling: Ruling, context: string | undefined, result: unknown) => Record<string, unknown> | undefined

/** What stands in `hookSpecificOutput`, by point and phase. */
const SPECIFIC: Readonly<Record<string, Said>> = {
  // No decision beside a replacement: an `allow` would be a grant.
  "call before": ({ go, reason, input }, context) => ({
    permissionDecision: go === "on" ? undefined : go === "ask" ? "ask" : "deny",
    permissionDecisionReason: go === "on" ? undefined : reason,
    updatedInput: go === "refuse" ? undefined : input,
    additionalContext: context,
  }),
  "call onSuccess": ({ go, reason, result }, context, original) => ({
    updatedToolOutput: go === "refuse" ? withheld(original, `withheld: ${reason}`) : result?.value,
    additionalContext: context,
  }),
  "permission before": ({ go, reason }) =>
    go === "refuse" ? { decision: { behavior: "deny", message: reason } } : undefined,
}

/** `decision: block` beside it, where that is how the event is refused. */
const BLOCKS: ReadonlySet<string> = new Set([
  "call onSuccess",
  "prompt before",
  "turn onSuccess",
  "subagent onSuccess",
  "compact before",
])

export const answer: Dialect["answer"] = ({ name, row, event }, ruling): Answer => {
  const moment = `${row.on} ${row.phases[0]}`
  const context = row.advise === "model" ? lines(ruling.advice) : undefined
  const specific = SPECIFIC[moment] ?? (() => ({ additionalContext: context }))
  const members = said(specific(ruling, context, event.result) ?? {})
  const blocked = ruling.go === "refuse" && BLOCKS.has(moment)
  return saying({
    decision: blocked ? "block" : undefined,
    reason: blocked ? ruling.reason : undefined,
    hookSpecificOutput: members && { hookEventName: name, ...members },
    systemMessage: row.advise === "stderr" ? undefined : lines([...toUser(row, ruling), ...ruling.notices]),
  })
}

/** What the model does not read, the user does. */
const toUser = (row: MomentRow, { go, reason, advice }: Ruling): readonly string[] => [
  ...(row.advise === "user" ? advice : []),
  ...(row.on === "permission" && go === "ask" ? [reason] : []),
]
