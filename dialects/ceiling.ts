import type { Level } from "../effects/levels.ts"
import type { Dialect, MomentRow } from "./dialect.ts"

/** The highest level that a host can carry at one of its events: what stands in the clamp as `host`. */
export function ceilingOf({ apply, refuse }: MomentRow, rewriteGrants: boolean): Level {
  // What a `run` output does is done here, not by the host.
  if (apply === "replaces" || (apply !== "none" && rewriteGrants)) return "run"
  // A replacement that the host cannot be trusted with is refused, with the proposal in the reason.
  return refuse === "none" ? "advise" : "propose"
}

/** The host's part of the clamp, as the engine takes it. */
export const hostOf = (dialect: Dialect, row: MomentRow, rewriteGrants: boolean): { name: string; max: Level } => ({
  name: dialect.name,
  max: ceilingOf(row, rewriteGrants),
})

/** Whether something can be refused at an event: the end of a turn is no danger. */
export const gates = ({ refuse }: Pick<MomentRow, "refuse">): boolean => refuse !== "none" && refuse !== "goes on"
