import type { Outcome, Verdict } from "../../frames/frames.ts"
import type { Paint } from "./colour.ts"
import { brief, oneLine } from "./plain.ts"

const SAID = {
  continue: ({ input }, paint) => `${paint("good", "go on")} with ${brief(input)}`,
  answer: ({ result }, paint) => `${paint("good", "answered")}, nothing is sent: ${brief(result)}`,
  retry: ({ input }, paint) => `${paint("good", "try again")} with ${brief(input)}`,
  ask: ({ questions }, paint) =>
    questions
      .map(({ hook, question, choices }) => {
        const answers = oneLine((choices ?? ["yes", "no"]).join(", "))
        return `${paint("warning", "open question")} of ${oneLine(hook)}: ${oneLine(question)} [${answers}]`
      })
      .join("\n"),
  refuse: ({ refusal }, paint) =>
    `${paint("bad", "refused")}${refusal?.hook ? ` by ${oneLine(refusal.hook)}` : ""}: ${oneLine(refusal?.reason ?? "")}`,
} as const satisfies Record<Outcome, (verdict: Verdict, paint: Paint) => string>

/** What it all came to, in one line; each open question has its own. */
export const verdictLine = (verdict: Verdict, paint: Paint): string => SAID[verdict.outcome](verdict, paint)
