import type { Clamped, Dropped } from "../clamp/clamp.ts"
import type { Output } from "../effects/outputs.ts"
import type { CeilingSource, HookFrame, Redacted } from "../frames/frames.ts"
import type { Hook } from "../policy/policy.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import { stopFor } from "./daemon.ts"
import type { Operation } from "./operation.ts"

/** A frame that is being written: what does not apply is never a member of it. */
export type Draft = { -readonly [K in keyof HookFrame]: HookFrame[K] }

/** Begins the frame of one hook's run: who ran, at which level, and for how long. */
export function draftOf(op: Operation, by: CompiledHook, at: AtLevel, on: string, durationMs: number): Draft {
  const { id, phase, action } = by.hook
  const { clamped } = at
  const frame: Draft = {
    type: "hook",
    on,
    phase,
    hook: id,
    action: action.kind,
    effect: clamped.effect,
    durationMs,
    changed: false,
  }
  if (clamped.clampedBy) tellClamped(frame, op, by, clamped)
  return frame
}

function tellClamped(frame: Draft, op: Operation, { hook }: CompiledHook, clamped: Clamped): void {
  const { requested, clampedBy = [] } = clamped
  if (requested) frame.requested = requested
  frame.clampedBy = clampedBy
  frame.ceilings = clampedBy.map((ceiling) => sourceOf(op, ceiling, hook))
}

/** Which setting, entry or table a ceiling came from. */
function sourceOf(op: Operation, by: CeilingSource["by"], hook: Hook): CeilingSource {
  if (by === "caller") return op.callerStop.source
  if (by === "daemon") return stopFor(hook, op.daemonStop).source
  if (by === "host") return op.hostStop.source
  return { by, origin: `phase ${hook.phase} of ${op.on}` }
}

/** A frame's members in the order in which they are told. */
const ORDER = Object.freeze(
  Object.keys({
    type: true,
    on: true,
    phase: true,
    hook: true,
    action: true,
    effect: true,
    durationMs: true,
    changed: true,
    requested: true,
    clampedBy: true,
    ceilings: true,
    dropped: true,
    original: true,
    originalMeta: true,
    advise: true,
    ask: true,
    refuse: true,
    propose: true,
    ran: true,
    failed: true,
    skipped: true,
    recheck: true,
    usage: true,
    notes: true,
  } as const satisfies Record<keyof HookFrame, true>) as (keyof HookFrame)[],
)

/** The same frame with its members in their order: a few are known before others that stand before them. */
export function inOrder(frame: HookFrame): HookFrame {
  const early =
    frame.failed ?? frame.recheck ?? frame.usage ?? frame.notes ?? ((frame.refuse ?? frame.ask) && frame.original)
  if (early === undefined) return frame
  return Object.fromEntries(
    ORDER.flatMap((name) => (Object.hasOwn(frame, name) ? [[name, frame[name]]] : [])),
  ) as unknown as HookFrame
}

/** What an output says in its frame: all its keys but `apply` and `run`, whose effect `changed` and `ran` tell. */
export function tellOutput(frame: Draft, kept: Output): void {
  if (kept.advise) frame.advise = kept.advise
  if (kept.ask) frame.ask = kept.ask
  if (kept.refuse) frame.refuse = kept.refuse
  if (kept.propose) frame.propose = kept.propose
}

export function tellDropped(frame: Draft, dropped: readonly Dropped[]): void {
  if (dropped.length > 0) frame.dropped = frame.dropped ? [...frame.dropped, ...dropped] : dropped
}

/** Stands for a value that may not be shown. */
export function redacted(value: unknown, sha256: (text: string) => string): Redacted {
  const text = textOf(value)
  return { sha256: sha256(text), bytes: utf8Length(text) }
}

/** As JSON; an operation's result may be anything, and what JSON cannot say is withheld like the rest. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null"
  } catch {
    return String(value)
  }
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
