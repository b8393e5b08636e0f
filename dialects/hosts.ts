import { type Level, lowest } from "../effects/levels.ts"
import { PHASES, type Phase } from "../policy/phases.ts"
import { isPoint, type Point, pointRow } from "../policy/points.ts"
import { ceilingOf } from "./ceiling.ts"
import type { MomentRow } from "./dialect.ts"
import { DIALECT_NAMES, DIALECTS } from "./dialects.ts"
import { VIX_EVENT_NAMES, vixEvent } from "./vix/events.ts"

/** What an agent makes of a hook's output at one moment of ours. */
export interface HostMoment {
  /** the agent's own events that fire it */
  readonly events: readonly string[]
  /** the lowest level that one of them carries */
  readonly max: Level
  /** what it makes of each key that the level permits, in words */
  readonly becomes: Readonly<Partial<Record<"advise" | "refuse" | "ask" | "apply", string>>>
}

/** The agents whose ceilings are known, by the name that `host` takes. */
export const HOST_NAMES: readonly string[] = Object.freeze([...DIALECT_NAMES, "vix"])

export const isHost = (name: unknown): name is string => typeof name === "string" && HOST_NAMES.includes(name)

/** What an agent carries at a moment; undefined: it never fires it. */
export function hostMoment(host: string, on: string, phase: Phase): HostMoment | undefined {
  if (!isPoint(on)) return undefined
  if (host === "vix") return vixMoment(on, phase)
  const rows = Object.entries(DIALECTS[host]?.moments ?? {}).filter(
    ([, row]) => row.on === on && (row.phases as readonly Phase[]).includes(phase),
  )
  const [first] = rows
  if (!first) return undefined
  const max = lowest(...rows.map(([, row]) => ceilingOf(row, false)))
  // Where several events fire it, what they make of a question may differ: the first row is the general one.
  return { events: rows.map(([name]) => name), max, becomes: wordsOf(first[1]) }
}

function vixMoment(on: Point, phase: Phase): HostMoment | undefined {
  const events = VIX_EVENT_NAMES.filter((name) => {
    const event = vixEvent(name)
    return event.on === on && (event.phase === phase || event.failed === phase)
  })
  if (events.length === 0) return undefined
  return { events, max: lowest(...events.map((name) => vixEvent(name).carries)), becomes: {} }
}

/** The ceilings of an agent at a point, by phase; a phase that it never fires has none. */
export function hostLevels(host: string, on: Point): Partial<Record<Phase, Level>> {
  const levels: Partial<Record<Phase, Level>> = {}
  for (const phase of Object.keys(PHASES) as Phase[]) {
    const moment = hostMoment(host, on, phase)
    if (moment) levels[phase] = moment.max
  }
  return levels
}

const APPLY = {
  replaces: "replaced",
  grants: "refused with the proposal; the agent would take it for a grant",
  unsure: "refused with the proposal; the agent may discard it",
  none: "refused with the proposal",
} as const satisfies Record<MomentRow["apply"], string>

/** What becomes of a replacement, in words; empty where the moment has nothing to replace. */
export function replacementAt(row: MomentRow): string {
  const { subject = "none" } = pointRow(row.on).phases[row.phases[0]!] ?? {}
  if (subject === "none") return ""
  return row.apply === "none" && row.refuse === "none" ? "dropped" : APPLY[row.apply]
}

/** What becomes of each key at an event of an agent, in words. */
export function wordsOf(row: MomentRow): Required<HostMoment["becomes"]> {
  const { refuse, ask, advise } = row
  return {
    advise,
    refuse: refuse === "none" ? "dropped" : refuse,
    ask: refuse === "none" ? "dropped" : ask === "asks" ? "asked" : "refused",
    apply: replacementAt(row),
  }
}

/** The level that is left at an event after the host's, the phase's and the point's ceilings. */
export const levelAt = (row: MomentRow): Level =>
  lowest(
    ceilingOf(row, false),
    ...row.phases
      .slice(0, 1)
      .flatMap((phase) => [PHASES[phase].ceiling, pointRow(row.on).phases[phase]?.limit ?? "run"]),
  )
