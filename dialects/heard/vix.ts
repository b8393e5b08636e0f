import { readCommand } from "../vix/decision.ts"
import type { VixEventName } from "../vix/events.ts"
import { type Ended, type Heard, heard, NOTHING } from "./heard.ts"

/** What a command of a vix folder decides, as an output of ours. */
export function hearVix(name: VixEventName, end: Ended): Heard {
  const reading = readCommand(end, name)
  if (!reading) return { failed: `it ended with ${end.code}` }
  if ("problem" in reading) return { failed: reading.problem }
  const { behavior, reason, input, context } = reading.decision
  if (behavior === "deny") return heard({ refuse: reason ?? "the hook denies it" })
  const apply = behavior !== "modify" ? undefined : { input: name === "UserPromptSubmit" ? input?.prompt : input }
  return apply || context !== undefined ? heard({ apply, advise: context }) : NOTHING
}
