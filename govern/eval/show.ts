import type { EvalResult, HookResult } from "./run.ts"
import type { Rates, Score } from "./score.ts"

/** Marks the parts of a rendering; the command line paints with it. */
export interface Marks {
  strong(text: string): string
  good(text: string): string
  bad(text: string): string
  faint(text: string): string
}

const percent = (part: number | undefined): string => (part === undefined ? "–" : `${(part * 100).toFixed(0)}%`)
const rates = ({ precision, recall }: Rates): string => `precision ${percent(precision)}, recall ${percent(recall)}`
const dollars = (cost: number | undefined): string => (cost === undefined ? "unknown" : `$${cost.toFixed(6)}`)

/**
 * The lines that tell what a set of events says of its judges: each side of a hook, then the events that went wrong.
 *
 * @param shown the name of the set
 */
export function showEval(shown: string, { hooks, missing }: EvalResult, marks: Marks): string[] {
  if (missing.length > 0) {
    const told = missing.map(({ hook, event, why }) => `no answer: \`${hook}\` on \`${event}\`: ${why}`)
    return [marks.strong(shown), ...[...new Set(told)].map((line) => marks.bad(line))]
  }
  const two = new Set(hooks.map(({ side }) => side)).size > 1
  const ids = [...new Set(hooks.map(({ hook }) => hook))]
  return [
    marks.strong(shown),
    ...ids.flatMap((id) => {
      const sides = hooks.filter(({ hook }) => hook === id)
      return [
        ...sides.flatMap((one) => ["", ...showHook(one, two, marks)]),
        ...(two ? ["", ...showDifferences(sides, marks)] : []),
      ]
    }),
  ]
}

function showHook({ side, hook, score, judged }: HookResult, two: boolean, marks: Marks): string[] {
  const { accuracy, events, speaksUp, failures, flips, latencyMs, inputTokens, outputTokens, cost } = score
  const wrong = judged.filter(({ said, expected }) =>
    said.some((one) => !(expected as readonly string[]).includes(one)),
  )
  return [
    `${marks.strong(hook)}${two ? marks.faint(` (${side})`) : ""}`,
    `  ${percent(accuracy)} as labelled, of ${events} events; speaks up: ${rates(speaksUp)}`,
    ...matrix(score).map((line) => `  ${line}`),
    ...Object.entries(score.classes).map(([name, one]) => `  ${name.padEnd(8)} ${rates(one)}`),
    ...(flips === undefined ? [] : [`  ${percent(flips)} of the events got different verdicts in different samples`]),
    ...(failures === 0 ? [] : [marks.bad(`  ${failures} answers failed`)]),
    `  ${latencyMs.p50} ms at p50, ${latencyMs.p95} ms at p95; ${inputTokens} + ${outputTokens} tokens, ${dollars(cost)}`,
    ...wrong.map(({ name, expected, said }) =>
      marks.bad(`  ✗ ${name}: ${[...new Set(said)].join(" / ")}, labelled ${expected.join(" or ")}`),
    ),
  ]
}

/** The confusion matrix: a row for each label, a column for each answer. */
function matrix({ matrix: counts }: Score): string[] {
  const rows = Object.keys(counts) as (keyof typeof counts)[]
  const columns = [...new Set(rows.flatMap((row) => Object.keys(counts[row]!)))]
  const width = Math.max(...columns.map((name) => name.length), 3)
  const line = (head: string, cells: readonly string[]): string =>
    `${head.padEnd(16)}${cells.map((cell) => cell.padStart(width)).join("  ")}`
  return [
    line("labelled ╲ said", columns),
    ...rows.map((row) =>
      line(
        row,
        columns.map((column) => String(counts[row]![column as "none"] ?? "·")),
      ),
    ),
  ]
}

/** The events on which the sides are of different minds. */
function showDifferences(sides: readonly HookResult[], marks: Marks): string[] {
  const [one, other] = sides
  if (!one || !other) return []
  const lines = one.judged.flatMap(({ name, said, expected }) => {
    const now = other.judged.find((judged) => judged.name === name)?.said ?? []
    const [before, after] = [said, now].map((list) => [...new Set(list)].sort().join(" / "))
    if (before === after) return []
    const better = (list: readonly string[]) =>
      list.filter((word) => (expected as readonly string[]).includes(word)).length
    const mark = better(now) > better(said) ? marks.good : better(now) < better(said) ? marks.bad : marks.faint
    return [mark(`  ${name}: ${one.side} says ${before}, ${other.side} says ${after}`)]
  })
  return lines.length > 0
    ? ["  they differ on:", ...lines]
    : [`  ${one.side} and ${other.side} say the same of every event`]
}
