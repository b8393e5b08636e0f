import { CLASSES, type Class, type Said } from "./classes.ts"

/** One event as one hook judged it, once for each sample. */
export interface Judged {
  readonly name: string
  readonly expected: readonly Class[]
  readonly said: readonly Said[]
  /** milliseconds of each answer; recorded ones count as long as they took */
  readonly latencyMs: readonly number[]
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; absent: the price of the model is not known */
  readonly cost?: number
}

/** Of those that were said, how many were right; of those that were right, how many were said. Absent: there was none. */
export interface Rates {
  readonly precision?: number
  readonly recall?: number
}

/** How good one hook is at one set of events. */
export interface Score {
  readonly events: number
  /** of all answers, how many are among the expected */
  readonly accuracy: number
  /** expected → said → how many answers; an event with several right labels counts as what was said, if that is one */
  readonly matrix: Readonly<Partial<Record<Class, Readonly<Partial<Record<Said, number>>>>>>
  readonly classes: Readonly<Partial<Record<Class, Rates>>>
  /** whether it spoke up at all where it should, whatever it said */
  readonly speaksUp: Rates
  readonly failures: number
  /** of all events, how many got different verdicts in different samples; absent: one sample each */
  readonly flips?: number
  readonly latencyMs: { readonly p50: number; readonly p95: number }
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost?: number
}

interface Answer {
  readonly expected: Class
  readonly said: Said
  readonly right: boolean
}

const answersOf = ({ expected, said }: Judged): Answer[] =>
  said.map((one) => {
    const right = (expected as readonly Said[]).includes(one)
    return { expected: right ? (one as Class) : expected[0]!, said: one, right }
  })

/** Counts what a hook said of a set of events. */
export function score(judged: readonly Judged[]): Score {
  const answers = judged.flatMap(answersOf)
  const matrix: Partial<Record<Class, Partial<Record<Said, number>>>> = {}
  for (const { expected, said } of answers) {
    matrix[expected] = { ...matrix[expected], [said]: (matrix[expected]?.[said] ?? 0) + 1 }
  }
  const seen = (Object.keys(CLASSES) as Class[]).filter((one) =>
    answers.some(({ expected, said }) => expected === one || said === one),
  )
  const spoke = (said: Said): boolean => said !== "none" && said !== "failed" && said !== "skipped"
  const samples = Math.max(...judged.map(({ said }) => said.length))
  const costs = judged.map(({ cost }) => cost)
  const latencies = judged.flatMap(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  return {
    events: judged.length,
    accuracy: share(answers.filter(({ right }) => right).length, answers.length) ?? 0,
    matrix,
    classes: Object.fromEntries(
      seen.map((one) => [
        one,
        rates(
          answers,
          ({ said }) => said === one,
          ({ expected }) => expected === one,
        ),
      ]),
    ),
    speaksUp: rates(
      answers,
      ({ said }) => spoke(said),
      ({ expected }) => expected !== "none",
    ),
    failures: answers.filter(({ said }) => said === "failed" || said === "skipped").length,
    ...(samples > 1
      ? { flips: share(judged.filter(({ said }) => new Set(said).size > 1).length, judged.length)! }
      : {}),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    inputTokens: sum(judged.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(judged.map(({ outputTokens }) => outputTokens)),
    ...(costs.every((cost) => cost !== undefined) ? { cost: sum(costs) } : {}),
  }
}

function rates(
  answers: readonly Answer[],
  isSaid: (answer: Answer) => boolean,
  isExpected: (answer: Answer) => boolean,
): Rates {
  const both = answers.filter((answer) => isSaid(answer) && isExpected(answer)).length
  const precision = share(both, answers.filter(isSaid).length)
  const recall = share(both, answers.filter(isExpected).length)
  return { ...(precision === undefined ? {} : { precision }), ...(recall === undefined ? {} : { recall }) }
}

const share = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole)

const sum = (numbers: readonly number[]): number => Math.round(numbers.reduce((all, one) => all + one, 0) * 1e8) / 1e8

/** The nearest rank; 0 where nothing was measured. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0
