import { cut, dropOf } from "../clamp/cut.ts"
import type { Output } from "../effects/outputs.ts"
import { failed } from "../frames/failures.ts"
import type { Skip, Usage } from "../frames/frames.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import { redacted, type Told, tellOutput, withDropped } from "./hook-frame.ts"
import { outputOf } from "./invoke.ts"
import type { Moment } from "./moment.ts"
import type { ActionResult } from "./ports.ts"
import { perform, withinMay } from "./runs.ts"
import { applyTo, fits } from "./subject.ts"

/** A hook that has been started: what it came to, or will come to. */
export interface Started {
  readonly by: CompiledHook
  readonly at: AtLevel
  /** on the engine's clock */
  readonly began: number
  result?: ActionResult
  readonly skipped?: Skip
  pending?: Promise<void>
}

const NO_MODEL = "no model is configured, or its key is not set"

/** Makes one hook's answer count, and tells it. Answers a promise only where something is run in consequence. */
export function honour(moment: Moment, { by, at, began, result, skipped }: Started): Promise<void> | undefined {
  if (skipped) {
    moment.emit(by, at, { skipped })
    return undefined
  }
  const durationMs = moment.core.ports.now() - began
  if (result === undefined || "skipped" in result) {
    const told: Told = { durationMs, skipped: "no-model", notes: result ? [result.warning] : [NO_MODEL] }
    if (by.hook.failure === "closed") moment.unheard(by, at, told, NO_MODEL)
    else moment.emit(by, at, told)
    return undefined
  }
  const told = toldOf(durationMs, result)
  if ("failed" in result) return moment.fail(by, at, told, result.failed)
  const raw = at.fixed ? undefined : outputOf(result)
  const answer = at.fixed ?? (raw && cut(raw, at.clamped, moment.phase))
  if (answer) told.dropped = answer.dropped.length > 0 ? answer.dropped : undefined
  if (!answer?.kept) return moment.fail(by, at, told, failed("bad-output"))
  return honourOutput(moment, by, at, told, answer.kept)
}

function toldOf(durationMs: number, { usage, notes }: { usage?: Usage; notes?: readonly string[] }): Told {
  const told: Told = { durationMs }
  if (usage) told.usage = usage
  if (notes && notes.length > 0) told.notes = notes
  return told
}

function honourOutput(moment: Moment, by: CompiledHook, at: AtLevel, told: Told, output: Output) {
  const kept = output.run || output.apply ? standing(moment, by, at, told, output) : output
  if ((kept.apply || kept.run) && !replace(moment, by, kept, told)) {
    return moment.fail(by, at, told, failed("bad-output"))
  }
  tellOutput(told, kept)
  collect(moment, by, kept)
  if (!kept.run) {
    moment.emit(by, at, told)
    return undefined
  }
  if (kept.run.retry) takeRetry(moment, by, kept.run.retry)
  return perform(moment.core, moment.op, by, at.clamped.effect, moment.event, kept.run).then((ran) => {
    moment.emit(by, at, { ...told, ran: [ran] })
  })
}

/** What is left of an output where the hook's `may`, or another hook's stronger key, takes something away. */
function standing(moment: Moment, by: CompiledHook, at: AtLevel, told: Told, output: Output): Output {
  const within = withinMay(moment.op, by, at.clamped, output)
  const dropped = [...within.dropped]
  let { kept } = within
  if (kept.run?.retry && moment.retry) {
    const { run: _, ...rest } = kept
    kept = rest
    dropped.push(dropOf("run", at.clamped, "refused"))
  }
  if (kept.apply && moment.answered) {
    const { apply: _, ...rest } = kept
    kept = rest
    dropped.push(dropOf("apply", at.clamped, "refused"))
  }
  if (dropped.length > 0) told.dropped = withDropped(told, dropped).dropped
  return kept
}

/** Puts the replacement in place; false where it does not fit there. */
function replace(moment: Moment, by: CompiledHook, kept: Output, told: Told): boolean {
  const { ports } = moment.core
  const retry = kept.run?.retry
  if (retry && retry !== true && !fits(moment.event, retry.input, ports)) return false
  if (!kept.apply) return true
  const applied = applyTo(moment.event, kept.apply, ports)
  if (!applied) return false
  if (!applied.changed) return true
  moment.event = applied.event
  moment.rewritten = true
  if (applied.answers) moment.answered = true
  told.changed = true
  const shown = (value: unknown) => (by.hook.redact ? redacted(value, ports.sha256) : value)
  told.original = shown(applied.original)
  if (applied.originalMeta !== undefined) told.originalMeta = shown(applied.originalMeta)
  return true
}

function takeRetry(moment: Moment, by: CompiledHook, retry: true | { readonly input: unknown }): void {
  moment.retry = retry
  moment.op.retried.push(by)
}

function collect(moment: Moment, by: CompiledHook, kept: Output): void {
  const hook = by.hook.id
  if (kept.advise) for (const advice of kept.advise) moment.advice.push({ hook, ...advice })
  if (kept.propose) moment.proposals.push({ hook, ...kept.propose })
  if (kept.ask) moment.question({ hook, ...kept.ask })
  if (kept.refuse) moment.refuse(by, kept.refuse)
}
