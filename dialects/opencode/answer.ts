import { type Answer, type Dialect, saying } from "../dialect.ts"

/** Our own plugin is who reads this: what is refused, what takes the place of what, and what a user should know. */
export const answer: Dialect["answer"] = ({ row, event }, { go, reason, input, result, advice, notices }): Answer => {
  const refuse = go === "refuse" ? reason : undefined
  const told = notices.length > 0 ? { notices } : {}
  if (row.on !== "call" || row.phases[0] !== "onSuccess") {
    return saying({ refuse, args: refuse === undefined ? input : undefined, ...told })
  }
  const shown = refuse === undefined ? textOf(result ? result.value : event.result) : `withheld: ${refuse}`
  const output = [shown, ...advice].join("\n")
  return saying({ refuse, output: output === event.result ? undefined : output, ...told })
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
