import { performance } from "node:perf_hooks"

/** One thing to measure: called again and again with a running number. */
export type Case = (index: number) => unknown | Promise<unknown>

/** A median, and the quarters below and above which the other half lies. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export interface Row {
  readonly name: string
  /** microseconds a call, round by round */
  readonly micros: readonly number[]
}

export interface Plan {
  readonly rounds?: number
  /** milliseconds for which a case is called in each round; 0: once */
  readonly ms?: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)]!
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

/** Microseconds for so many calls. */
async function timed(run: Case, sync: boolean, calls: number): Promise<number> {
  const began = performance.now()
  if (sync) for (let call = 0; call < calls; call++) run(call)
  else for (let call = 0; call < calls; call++) await run(call)
  return (performance.now() - began) * 1000
}

/** How many calls take `ms` milliseconds, found out by calling, which also warms the case up. */
async function callsIn(ms: number, run: Case, sync: boolean): Promise<number> {
  let calls = 1
  let micros = await timed(run, sync, calls)
  while (micros < ms * 1000) {
    calls *= 2
    micros = await timed(run, sync, calls)
  }
  return Math.max(1, Math.round((calls * ms * 1000) / micros))
}

/** Runs all cases in turn, round by round in this one process, so that what else the machine does hits them alike. */
export async function measure(
  cases: Readonly<Record<string, Case>>,
  { rounds = 31, ms = 40 }: Plan = {},
): Promise<readonly Row[]> {
  const running = []
  for (const [name, run] of Object.entries(cases)) {
    const first = run(0)
    await first
    const sync = !(first instanceof Promise)
    running.push({ name, run, sync, calls: await callsIn(ms, run, sync), micros: [] as number[] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, sync, calls, micros } of round % 2 ? [...running].reverse() : running) {
      micros.push((await timed(run, sync, calls)) / calls)
    }
  }
  return running
}

/** How many times what `base` took in the same round. */
export const ratioTo = (base: Row, { micros }: Row): Spread =>
  spreadOf(micros.map((one, round) => one / base.micros[round]!))

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2))

/** A table: medians, and ratios to one of the rows with their middle half. */
export function table(title: string, rows: readonly Row[], base: Row = rows[0]!): string {
  const lines = rows.map((row) => {
    const { median, low, high } = ratioTo(base, row)
    const time = shownTime(spreadOf(row.micros).median)
    return `| ${row.name} | ${time} | ${shown(median)}x | ${shown(low)}–${shown(high)} |`
  })
  return [`\n### ${title}\n`, "| case | median | ratio | middle half |", "|---|---|---|---|", ...lines].join("\n")
}

function shownTime(micros: number): string {
  if (micros < 1) return `${shown(micros * 1000)} ns`
  return micros < 1000 ? `${shown(micros)} µs` : `${shown(micros / 1000)} ms`
}
