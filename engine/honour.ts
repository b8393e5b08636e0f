import { type Cut, cut, dropOf } from "../clamp/cut.ts"
import { copyJson, type JsonObject } from "../effects/json.ts"
import { normalise } from "../effects/normalise.ts"
import type { Advice, Output, Proposal, Run } from "../effects/outputs.ts"
import { failed } from "../frames/failures.ts"
import type { Skip } from "../frames/frames.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import { inputOf } from "./event.ts"
import { type Draft, redacted, tellDropped, tellOutput } from "./hook-frame.ts"
import { outputOf } from "./invoke.ts"
import type { Moment } from "./moment.ts"
import type { ActionResult } from "./ports.ts"
import { perform, withinMay } from "./runs.ts"
import { applyTo, fits } from "./subject.ts"

/** A hook that has been started: what it came to, or will come to. */
export interface Started {
  readonly by: CompiledHook
  readonly at: AtLevel
  /** milliseconds that its action took; none for an output that was ready made */
  durationMs: number
  result?: ActionResult
  readonly skipped?: Skip
  pending?: Promise<void>
}

const NO_MODEL = "no model is configured, or its key is not set"

/** Makes one hook's answer count, and tells it. Answers a promise only where something is run in consequence. */
export function honour(moment: Moment, { by, at, durationMs, result, skipped }: Started): Promise<void> | undefined {
  const frame = moment.draft(by, at, durationMs)
  if (skipped) {
    frame.skipped = skipped
    return moment.emit(by, frame)
  }
  const kept = heard(moment, by, at, frame, result)
  return kept && honourOutput(moment, by, at, frame, kept)
}

/** What stands of a hook's answer, on its first look or on a later one; undefined: nothing does, and its frame is told. */
export function heard(
  moment: Moment,
  by: CompiledHook,
  at: AtLevel,
  frame: Draft,
  result: ActionResult | undefined,
): Output | undefined {
  if (result === undefined || "skipped" in result) {
    frame.skipped = "no-model"
    frame.notes = [result?.warning ?? NO_MODEL]
    if (by.hook.failure === "closed") return moment.unheard(by, at, frame, NO_MODEL)
    return moment.emit(by, frame)
  }
  if (result.usage) frame.usage = result.usage
  if (result.notes && result.notes.length > 0) frame.notes = result.notes
  if ("failed" in result) return moment.fail(by, at, frame, result.failed)
  const answer = at.fixed ?? cutOutput(moment, at, result)
  if (answer) tellDropped(frame, answer.dropped)
  const kept = answer?.kept && at.proposes ? proposing(moment, outputOf(result), answer.kept) : answer?.kept
  return kept ?? moment.fail(by, at, frame, failed("bad-output"))
}

/**
 * What a host cannot be trusted to replace is proposed in its place: dropped in silence, the operation would go on with
 * what the hook wanted to replace. Undefined where the value does not fit, as if it had been replaced.
 */
function proposing(moment: Moment, raw: JsonObject | undefined, kept: Output): Output | undefined {
  if (!raw || !Object.hasOwn(raw, "apply") || kept.refuse || kept.ask || kept.propose) return kept
  const apply = normalise("apply", raw.apply, moment.phase)
  const applied = apply.ok ? applyTo(moment.event, apply.value, moment.core.ports) : undefined
  if (!applied?.changed) return applied && kept
  const { event, answers } = applied
  const propose = copyJson(
    moment.phase === "before" && !answers ? { input: inputOf(event) } : { result: event.result },
  ) as Proposal
  return { ...kept, propose }
}

function cutOutput(moment: Moment, at: AtLevel, result: { readonly output: unknown }): Cut | undefined {
  const raw = outputOf(result)
  return raw && cut(raw, at.clamped, moment.phase)
}

function honourOutput(moment: Moment, by: CompiledHook, at: AtLevel, frame: Draft, output: Output) {
  const kept = output.run || output.apply ? standing(moment, by, at, frame, copyJson(output)) : output
  if ((kept.apply || kept.run) && !replace(moment, by, kept, frame)) {
    return moment.fail(by, at, frame, failed("bad-output"))
  }
  tellOutput(frame, kept)
  collect(moment, by, kept)
  return kept.run ? honourRun(moment, by, at, frame, kept.run) : moment.emit(by, frame)
}

async function honourRun(moment: Moment, by: CompiledHook, at: AtLevel, frame: Draft, run: Run): Promise<void> {
  if (run.retry) takeRetry(moment, by, run.retry)
  frame.ran = [await perform(moment.core, moment.op, by, at.clamped.effect, moment.event, run)]
  moment.emit(by, frame)
}

/** What is left of an output where the hook's `may`, or another hook's stronger key, takes something away. */
function standing(moment: Moment, by: CompiledHook, at: AtLevel, frame: Draft, output: Output): Output {
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
  tellDropped(frame, dropped)
  return kept
}

/** Puts the replacement in place; false where it does not fit there. */
function replace(moment: Moment, by: CompiledHook, kept: Output, frame: Draft): boolean {
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
  frame.changed = true
  const shown = (value: unknown) => (by.hook.redact ? redacted(value, ports.sha256) : value)
  frame.original = shown(applied.original)
  if (applied.originalMeta !== undefined) frame.originalMeta = shown(applied.originalMeta)
  return true
}

function takeRetry(moment: Moment, by: CompiledHook, retry: true | { readonly input: unknown }): void {
  moment.retry = retry
  moment.op.retried.push(by)
}

function collect(moment: Moment, by: CompiledHook, kept: Output): void {
  const hook = by.hook.id
  if (kept.advise) collectAdvice(moment, hook, kept.advise)
  if (kept.propose) moment.proposals.push({ hook, ...kept.propose })
  if (kept.ask) moment.question(by, kept.ask)
  if (kept.refuse) moment.refuse(by, kept.refuse)
}

/** By index: V8 walks the list of a rule, which is frozen, several times more slowly with `for … of`. */
function collectAdvice(moment: Moment, hook: string, list: readonly Advice[]): void {
  for (let at = 0; at < list.length; at++) moment.advice.push(adviceOf(hook, list[at]!))
}

/** Written out, since most advice is only text, and to copy it member by member takes longer than all else here. */
const adviceOf = (hook: string, advice: Advice) =>
  advice.severity === undefined && advice.data === undefined ? { hook, text: advice.text } : { hook, ...advice }
