import { gates } from "./ceiling.ts"
import { type Answer, denied, type MomentRow, type Reading } from "./dialect.ts"

const FAILED = { advice: [], notices: [] }

/** The answer where Detent itself fails: what can be refused is. To refuse the end of a turn would have the agent go on. */
export function refused(reading: Reading | undefined, why: string): Answer {
  if (!reading) return denied(why)
  const { row, dialect } = reading
  if (!row || !gates(row)) return passed(reading, why)
  return dialect.answer({ ...reading, row }, { ...FAILED, go: "refuse", reason: why })
}

/** The answer where it goes on although Detent has failed: the user is told. */
export function passed(reading: Reading | undefined, why: string): Answer {
  if (!reading?.row) return { stderr: why, exitCode: 0 }
  const { row, dialect } = reading
  return dialect.answer({ ...reading, row }, { ...FAILED, go: "on", reason: "", notices: [why] })
}

/** What the host gives us, less what a start and an answer take: milliseconds. */
export function deadlineOf(row: MomentRow, seconds = row.timeoutMs / 1000): number {
  const whole = seconds * 1000
  return Math.max(1, Math.round(whole - Math.max(300, whole / 10)))
}
