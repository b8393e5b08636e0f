import { type Answer, type Dialect, type Ruling, saying } from "../dialect.ts"
import { lines } from "../lines.ts"

/** Gemini decides by the JSON on stdout and heeds no exit code beside it. */
export const answer: Dialect["answer"] = ({ name, row, event }, ruling): Answer => {
  const { advice, notices } = ruling
  const before = row.on === "call" && row.phases[0] === "before"
  const { go, reason } = before ? withinMerge(event.args, ruling) : ruling
  const context = row.advise === "model" ? lines(advice) : undefined
  const input = before && go === "on" ? ruling.input : undefined
  const specific = {
    ...(input ? { tool_input: input } : {}),
    ...(context === undefined ? {} : { additionalContext: context }),
  }
  return saying({
    decision: go === "refuse" ? "deny" : undefined,
    reason: go === "refuse" ? reason : undefined,
    hookSpecificOutput: Object.keys(specific).length > 0 ? { hookEventName: name, ...specific } : undefined,
    systemMessage: row.advise === "stderr" ? undefined : lines([...(row.advise === "user" ? advice : []), ...notices]),
  })
}

/** A replacement is merged over the arguments: one that takes an argument away cannot be said. */
function withinMerge(args: unknown, ruling: Ruling): Pick<Ruling, "go" | "reason"> {
  const { go, input } = ruling
  const lost = input && go === "on" ? Object.keys(args ?? {}).filter((key) => !Object.hasOwn(input, key)) : []
  if (lost.length === 0) return ruling
  const named = lost.map((key) => `\`${key}\``).join(", ")
  return {
    go: "refuse",
    reason: `a hook takes the argument ${named} away, which Gemini CLI cannot: ${JSON.stringify(input)}`,
  }
}
