import { performance } from "node:perf_hooks"

/** One thing to measure: called again and again with a running number. */
export type Case = (index: number) => unknown | Promise<unknown>

export interface Row {
  readonly name: string
  /** microseconds a call, the median over the rounds */
  readonly micros: number
  readonly min: number
  readonly max: number
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

async function timed(run: Case, ms: number, sync: boolean): Promise<number> {
  let calls = 0
  const began = performance.now()
  let now = began
  while (now - began < ms) {
    for (let batch = 0; batch < 16; batch++) {
      if (sync) run(calls++)
      else await run(calls++)
    }
    now = performance.now()
  }
  return ((now - began) * 1000) / calls
}

/** Runs all cases in turn, round by round, so that what else the machine does hits them alike. */
export async function measure(
  cases: Readonly<Record<string, Case>>,
  { rounds = 9, ms = 60 }: { rounds?: number; ms?: number } = {},
): Promise<readonly Row[]> {
  const names = Object.keys(cases)
  const sync = Object.fromEntries(names.map((name) => [name, !(cases[name]!(0) instanceof Promise)]))
  for (const name of names) await timed(cases[name]!, ms, sync[name]!)
  const samples: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? [...names].reverse() : names
    for (const name of order) samples[name]!.push(await timed(cases[name]!, ms, sync[name]!))
  }
  return names.map((name) => ({
    name,
    micros: median(samples[name]!),
    min: Math.min(...samples[name]!),
    max: Math.max(...samples[name]!),
  }))
}

/** A table with each row's ratio to the first. */
export function table(title: string, rows: readonly Row[]): string {
  const base = rows[0]!.micros
  const lines = rows.map(
    ({ name, micros, min, max }) =>
      `| ${name} | ${micros.toFixed(2)} | ${min.toFixed(2)}–${max.toFixed(2)} | ${(micros / base).toFixed(2)}x |`,
  )
  return [`\n### ${title}\n`, "| case | µs, median | min–max | ratio |", "|---|---|---|---|", ...lines].join("\n")
}
