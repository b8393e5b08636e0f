import type { Dropped } from "../clamp/clamp.ts"
import type { Output } from "../effects/outputs.ts"
import type { CeilingSource, HookFrame, Redacted } from "../frames/frames.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import type { Operation } from "./operation.ts"

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** What a frame says besides who ran and at which level. Members that are undefined are left out. */
export type Told = {
  -readonly [K in keyof Omit<
    HookFrame,
    "type" | "on" | "phase" | "hook" | "action" | "effect" | "requested" | "clampedBy" | "ceilings"
  >]?: HookFrame[K] | undefined
}

/** The frame of one hook's run; members that do not apply are absent. */
export function hookFrame(op: Operation, by: CompiledHook, at: AtLevel, on: string, told: Told): Writable<HookFrame> {
  const { id, phase, action } = by.hook
  const { clamped } = at
  const frame: Writable<HookFrame> = {
    type: "hook",
    on,
    phase,
    hook: id,
    action: action.kind,
    effect: clamped.effect,
    durationMs: told.durationMs ?? 0,
    changed: told.changed ?? false,
  }
  if (clamped.clampedBy) {
    if (clamped.requested) frame.requested = clamped.requested
    frame.clampedBy = clamped.clampedBy
    frame.ceilings = clamped.clampedBy.map((ceiling) => sourceOf(op, ceiling, phase))
  }
  for (const key in told) {
    const value = told[key as keyof Told]
    if (value !== undefined) (frame as Record<string, unknown>)[key] = value
  }
  return frame
}

/** Which setting, entry or table a ceiling came from. */
function sourceOf(op: Operation, by: CeilingSource["by"], phase: string): CeilingSource {
  if (by === "caller") return op.callerStop.source
  if (by === "daemon") return op.daemonStop.source
  if (by === "host") return op.hostStop.source
  return { by, origin: `phase ${phase} of ${op.on}` }
}

/** What an output says in its frame: all its keys but `apply` and `run`, whose effect `changed` and `ran` tell. */
export function tellOutput(told: Told, kept: Output): void {
  if (kept.advise) told.advise = kept.advise
  if (kept.ask) told.ask = kept.ask
  if (kept.refuse) told.refuse = kept.refuse
  if (kept.propose) told.propose = kept.propose
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
