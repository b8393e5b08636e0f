import type { Dropped } from "../clamp/clamp.ts"
import type { Output } from "../effects/outputs.ts"
import type { CeilingSource, HookFrame, Redacted } from "../frames/frames.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import type { Operation } from "./operation.ts"

/** What a frame says besides who ran and at which level. */
export type Told = Partial<
  Omit<HookFrame, "type" | "on" | "phase" | "hook" | "action" | "effect" | "requested" | "clampedBy" | "ceilings">
>

/** The frame of one hook's run; members that do not apply are absent. */
export function hookFrame(op: Operation, by: CompiledHook, at: AtLevel, on: string, told: Told): HookFrame {
  const { hook } = by
  const { clamped } = at
  const frame = {
    type: "hook" as const,
    on,
    phase: hook.phase,
    hook: hook.id,
    action: hook.action.kind,
    effect: clamped.effect,
    durationMs: 0,
    changed: false,
  }
  if (clamped.clampedBy) {
    const ceilings = clamped.clampedBy.map((by) => sourceOf(op, by, hook.phase))
    Object.assign(frame, { requested: clamped.requested, clampedBy: clamped.clampedBy, ceilings })
  }
  return Object.assign(frame, told)
}

/** Which setting, entry or table a ceiling came from. */
function sourceOf(op: Operation, by: CeilingSource["by"], phase: string): CeilingSource {
  if (by === "caller") return op.callerStop.source
  if (by === "daemon") return op.daemonStop.source
  if (by === "host") return op.hostStop.source
  return { by, origin: `phase ${phase} of ${op.on}` }
}

/** What an output says in its frame: all its keys but `apply` and `run`, whose effect `changed` and `ran` tell. */
export function tellOutput(kept: Output): Told {
  const told: { -readonly [K in keyof Told]: Told[K] } = {}
  if (kept.advise) told.advise = kept.advise
  if (kept.ask) told.ask = kept.ask
  if (kept.refuse) told.refuse = kept.refuse
  if (kept.propose) told.propose = kept.propose
  return told
}

export const withDropped = (told: Told, dropped: readonly Dropped[]): Told =>
  dropped.length === 0 ? told : { ...told, dropped: told.dropped ? [...told.dropped, ...dropped] : dropped }

/** Stands for a value that may not be shown. */
export function redacted(value: unknown, sha256: (text: string) => string): Redacted {
  const text = JSON.stringify(value) ?? "null"
  return { sha256: sha256(text), bytes: utf8Length(text) }
}

/** Bytes of a text in UTF-8, a lone surrogate counted as the three bytes of its replacement. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
