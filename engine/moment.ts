import type { JsonObject } from "../effects/json.ts"
import type { Question, Refusal } from "../effects/outputs.ts"
import { type Failed, failed } from "../frames/failures.ts"
import type { AskedQuestion, HookFrame, Skip, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { type AtLevel, type Bounds, boundsOf, type CompiledHook } from "./compile.ts"
import { type Draft, draftOf, inOrder, redacted, tellDropped } from "./hook-frame.ts"
import type { Concerned } from "./hooks.ts"
import { type Core, hostLevel, type Operation, tell } from "./operation.ts"
import type { ActionResult } from "./ports.ts"

/** What a hook that may refuse was shown: after a rewrite it looks again, if that was something else. */
interface Seen {
  readonly by: CompiledHook
  readonly event: JsonObject
}

/** A frame that waits, and whose it is. */
export interface Held {
  readonly by: CompiledHook
  readonly frame: HookFrame
}

/** What the hooks of one moment came to, while they run and afterwards. */
export class Moment {
  readonly core: Core
  readonly op: Operation
  readonly phase: Exclude<Phase, "observe">
  event: JsonObject
  refusal: Verdict["refusal"]
  /** before: a hook gave the result; nothing is sent */
  answered = false
  retry: true | { readonly input: unknown } | undefined
  /** whether the subject was replaced */
  rewritten = false
  readonly advice: Verdict["advice"][number][] = []
  readonly proposals: Verdict["proposals"][number][] = []
  readonly questions: AskedQuestion[] = []
  /** whose each question is, but for the consent gate's own, which is the last: two hooks of different files may have the same id */
  readonly askers: CompiledHook[] = []
  readonly seen: Seen[] = []
  /** frames that wait for the answer to a question, from the first hook that asked */
  held: Held[] | undefined
  /** the version of the event that the bounds are of */
  #lowered: JsonObject | undefined
  #bounds: Bounds

  constructor(core: Core, op: Operation, phase: Exclude<Phase, "observe">, event: JsonObject) {
    this.core = core
    this.op = op
    this.phase = phase
    this.event = event
    this.#bounds = this.#lower(event)
  }

  /** The hooks whose names fit the event, in declared order. */
  concerned(): Concerned {
    const { server, tool, kind } = this.event as Record<string, string | undefined>
    return this.core.hooks.concerning(this.op.on, this.phase, server, tool, kind)
  }

  /** Every version of the event may lower the daemon's ceiling; none raises it. */
  #lower(event: JsonObject): Bounds {
    this.#lowered = event
    const { op } = this
    op.daemonStop = this.core.daemon.lower(op.daemonStop, event)
    return boundsOf(op.callerStop.level, op.daemonStop.level, hostLevel(op, this.phase))
  }

  /** What has to be looked at after each group of hooks. */
  heed(): void {
    if (this.#lowered !== this.event) this.#bounds = this.#lower(this.event)
    this.heedCancellation()
  }

  /** A cancelled operation is refused; `suffix` runs all the same, as a finally does. */
  heedCancellation(): void {
    if (!this.op.signal?.aborted || this.phase === "suffix") return
    this.refusal ??= { reason: "the operation was cancelled", code: "cancelled" }
  }

  at(by: CompiledHook): AtLevel {
    return by.at(this.#bounds)
  }

  refuse(by: CompiledHook, refusal: Refusal): void {
    this.refusal ??= { hook: by.hook.id, ...refusal }
  }

  /** A hook that asks again, after a rewrite, asks in place of what it asked before. */
  question(by: CompiledHook, question: Question): void {
    const before = this.askers.indexOf(by)
    const at = before < 0 ? this.askers.push(by) - 1 : before
    this.questions[at] = { hook: by.hook.id, ...question }
  }

  /** A failure carries on, or refuses where the hook is closed or its guard could not be evaluated. */
  fail(by: CompiledHook, at: AtLevel, frame: Draft, failure: Failed): undefined {
    const guards = by.hook.failure === "closed" || (failure.kind === "condition" && by.mayRefuse)
    if (this.core.listened) this.core.publish(this.op, "hook.failed", { ...this.about(by), failed: failure })
    frame.failed = failure
    return guards ? this.unheard(by, at, frame, failure.message) : this.emit(by, frame)
  }

  /** A guard that should have had its say and could not: it refuses, through the same clamp. */
  unheard(by: CompiledHook, at: AtLevel, frame: Draft, why: string): undefined {
    const drop = at.clamped.drop("refuse")
    if (drop) tellDropped(frame, [drop])
    else {
      frame.refuse = { reason: `the hook \`${by.hook.id}\` failed: ${why}`, code: "hook_failed" }
      this.refuse(by, frame.refuse)
    }
    return this.emit(by, frame)
  }

  draft(by: CompiledHook, at: AtLevel, durationMs: number): Draft {
    return draftOf(this.op, by, at, this.op.on, durationMs)
  }

  emit(by: CompiledHook, frame: Draft): undefined {
    if (frame.refuse) this.#heedRefusal(frame)
    if (frame.ask && this.op.ask && !this.refusal) this.held ??= []
    if (this.held) this.held.push({ by, frame: inOrder(frame) })
    else tell(this.op, inOrder(frame))
    if (this.core.listened && !frame.skipped && !frame.failed) {
      const { durationMs, changed } = frame
      this.core.publish(this.op, "hook.finished", { ...this.about(by), durationMs, changed })
    }
  }

  /**
   * A refusal undoes a retry that was asked for before it, and says so, since that hook's frame has been told. In
   * onSuccess it withholds the result, of which its frame keeps the hash.
   */
  #heedRefusal(frame: Draft): void {
    if (this.retry) {
      this.retry = undefined
      frame.notes = [...(frame.notes ?? []), "the retry that was asked for before is dropped"]
    }
    if (this.phase !== "onSuccess" || frame.original !== undefined) return
    frame.original = redacted(this.event.result, this.core.ports.sha256)
  }

  about(by: CompiledHook): JsonObject {
    const { result: _, error: __, ...event } = this.event
    return { ...event, hook: by.hook.id }
  }
}

/** Why a hook that matches is not run, or undefined when it is. */
export function skipOf(op: Operation, by: CompiledHook, at: AtLevel): Skip | undefined {
  if (!by.hook.enabled) return "disabled"
  if (at.clamped.effect === "off") return "off"
  // Rules always run: they cause nothing, so they cannot recurse.
  return op.stack.length > 0 && by.hook.action.kind !== "rule" && op.stack.includes(by) ? "recursion" : undefined
}

export function ruleResult(by: CompiledHook, event: JsonObject): ActionResult {
  const { fixed } = by.rule!
  if (fixed) return fixed
  try {
    return { output: by.rule!.output(event) }
  } catch {
    return { failed: failed("condition") }
  }
}
