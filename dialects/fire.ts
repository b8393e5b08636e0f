import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { carries, type Point, phasesOf } from "../policy/points.ts"
import { hostOf } from "./ceiling.ts"
import type { MomentRow, Reading, Ruling } from "./dialect.ts"
import { rulingOf, together } from "./ruling.ts"

/** What the host carries, and the milliseconds that are left. */
export interface HostOptions {
  readonly host: { readonly name: string; readonly max: Level }
  readonly timeoutMs: number
}

/** Fires one moment: an engine's `fire`, or what stands around it. */
export type Fire = (on: Point, phase: Phase, event: JsonObject, options: HostOptions) => Promise<Verdict>

export interface FiringOptions {
  /** the operator lets replacements through although the host takes them for a grant */
  readonly rewriteGrants: boolean
  readonly timeoutMs: number
}

/** Fires the moments of one event of a host, and puts together what they come to. */
export async function fireMoments(
  fireOne: Fire,
  reading: Reading & { readonly row: MomentRow },
  { rewriteGrants, timeoutMs }: FiringOptions,
): Promise<Ruling> {
  const { dialect, row } = reading
  const host = hostOf(dialect, row, rewriteGrants)
  const until = Date.now() + timeoutMs
  const fire = async (phase: MomentRow["phases"][number], more: JsonObject = {}): Promise<Ruling> => {
    const event = within({ ...reading.event, ...more }, row, phase)
    const left = Math.max(1, until - Date.now())
    const verdict = await fireOne(row.on, phase, event, { host, timeoutMs: left })
    return rulingOf(dialect, row, phase, event, verdict)
  }
  const rulings: Ruling[] = []
  for (const phase of row.phases) {
    const refusal = rulings.find(({ go }) => go === "refuse")
    rulings.push(await fire(phase, refusal && { error: { code: "refused", message: refusal.reason } }))
    if (phase === "before" && rulings[0]!.go === "refuse") rulings.push(...(await afterRefusal(row, fire, rulings[0]!)))
  }
  return together(rulings)
}

/** A refused operation has its end as any other; nothing of it can change what the host is told. */
async function afterRefusal(
  row: MomentRow,
  fire: (phase: MomentRow["phases"][number], more?: JsonObject) => Promise<Ruling>,
  { reason }: Ruling,
): Promise<readonly Ruling[]> {
  const phases = (["onError", "suffix"] as const).filter((phase) => phasesOf(row.on).includes(phase))
  const rulings: Ruling[] = []
  if (row.on !== "call") return rulings
  for (const phase of phases) {
    const { advice, notices, lowered = [] } = await fire(phase, { error: { code: "refused", message: reason } })
    rulings.push({ go: "on", reason: "", advice, notices, lowered })
  }
  return rulings
}

/** The fields that the events of this phase carry. */
const within = (event: JsonObject, { on }: MomentRow, phase: MomentRow["phases"][number]): JsonObject =>
  Object.fromEntries(
    Object.entries(event).filter(
      ([name]) => carries(on, name, phase) && !(name === "result" && event.error !== undefined),
    ),
  )
