import type { JsonObject } from "../effects/json.ts"
import type { Refusal } from "../effects/outputs.ts"
import { type Failed, failed } from "../frames/failures.ts"
import type { AskedQuestion, HookFrame, Skip, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { AtLevel, CompiledHook, Match } from "./compile.ts"
import { honour } from "./honour.ts"
import { hookFrame, redacted, type Told, withDropped } from "./hook-frame.ts"
import type { Concerned } from "./hooks.ts"
import { invoke } from "./invoke.ts"
import { type Core, type Operation, tell } from "./operation.ts"
import type { ActionResult } from "./ports.ts"

/** A hook that has been started: what it saw, and what it came to or will come to. */
export interface Started {
  readonly by: CompiledHook
  readonly at: AtLevel
  /** on the engine's clock */
  readonly began: number
  result?: ActionResult
  readonly skipped?: Skip
  pending?: Promise<void>
}

/** What a hook that may refuse was shown: after a rewrite it looks again, if that was something else. */
interface Seen {
  readonly by: CompiledHook
  readonly event: JsonObject
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
  readonly seen: Seen[] = []
  /** frames that wait for the answer to a question, from the first hook that asked */
  held: HookFrame[] | undefined
  readonly #concerned: Concerned
  #next = 0
  #lowered: JsonObject | undefined

  constructor(core: Core, op: Operation, phase: Exclude<Phase, "observe">, event: JsonObject) {
    this.core = core
    this.op = op
    this.phase = phase
    this.event = event
    this.#concerned = this.concerned()
    this.#lower()
  }

  /** The hooks whose names fit the event, in declared order. */
  concerned(): Concerned {
    const { server, tool, kind } = this.event as Record<string, string | undefined>
    return this.core.hooks.concerning(this.op.on, this.phase, server, tool, kind)
  }

  /**
   * Runs the hooks in declared order. Neighbours below `apply` cannot change the value, so they run side by side; each
   * one at `apply` or above runs alone and feeds the next. A refusal ends the moment after the group it came in.
   *
   * @returns a promise only where something has to be waited for: rules alone take no turn of the event loop.
   */
  run(): Promise<void> | undefined {
    this.#heedCancellation()
    while (!this.refusal && this.#seek() !== "no") {
      const group = this.#startGroup()
      const pending = group.filter((started) => started.pending).map((started) => started.pending)
      const settled = pending.length > 0 ? Promise.all(pending).then(() => this.#settle(group)) : this.#settle(group)
      if (settled) return settled.then(() => this.#after()).then(() => this.run())
      this.#after()
    }
    this.#tellRest()
    return undefined
  }

  #startGroup(): Started[] {
    const group: Started[] = []
    for (let match = this.#seek(); match !== "no"; match = this.#seek()) {
      const by = this.#concerned.hooks[this.#next]!
      const at = this.at(by)
      if (at.alone && group.length > 0) break
      group.push(this.#start(by, at, match === "failed"))
      this.#next++
      if (at.alone) break
    }
    return group
  }

  /** Goes on to the next hook that the event concerns, or whose condition cannot be evaluated; "no": there is none. */
  #seek(): Match {
    const { tests } = this.#concerned
    const { event } = this
    let next = this.#next
    try {
      while (next < tests.length && !tests[next]!(event)) next++
      return next < tests.length ? "yes" : "no"
    } catch {
      return "failed"
    } finally {
      this.#next = next
    }
  }

  #start(by: CompiledHook, at: AtLevel, broken: boolean): Started {
    const began = this.core.ports.now()
    const skipped = skipOf(this.op, by, at)
    if (skipped) return { by, at, began, skipped }
    if (at.refuses) this.seen.push({ by, event: this.event })
    if (broken) return { by, at, began, result: { failed: failed("condition") } }
    if (this.core.listened) this.core.publish(this.op, "hook.started", this.about(by))
    if (by.rule) return { by, at, began, result: ruleResult(by, this.event) }
    const started: Started = { by, at, began }
    started.pending = invoke(this.core, this.op, by, at.clamped.effect, this.event).then((result) => {
      started.result = result
    })
    return started
  }

  /** Makes the answers of a group count, in declared order. */
  #settle(group: readonly Started[], from = 0): Promise<void> | undefined {
    for (let index = from; index < group.length; index++) {
      const settling = honour(this, group[index]!)
      if (settling) return settling.then(() => this.#settle(group, index + 1))
    }
    return undefined
  }

  #after(): void {
    this.#lower()
    this.#heedCancellation()
  }

  /** The hooks that a refusal kept from running. */
  #tellRest(): void {
    for (; this.#seek() !== "no"; this.#next++) {
      const by = this.#concerned.hooks[this.#next]!
      const at = this.at(by)
      this.emit(by, at, { skipped: skipOf(this.op, by, at) ?? "refused" })
    }
  }

  /** Every version of the event may lower the daemon's ceiling; none raises it. */
  #lower(): void {
    if (this.#lowered === this.event) return
    this.#lowered = this.event
    this.op.daemonStop = this.core.daemon.lower(this.op.daemonStop, this.event)
  }

  /** A cancelled operation is refused; `suffix` runs all the same, as a finally does. */
  #heedCancellation(): void {
    if (!this.op.signal?.aborted || this.phase === "suffix") return
    this.refusal ??= { reason: "the operation was cancelled", code: "cancelled" }
  }

  at(by: CompiledHook): AtLevel {
    const { callerStop, daemonStop, hostStop } = this.op
    return by.at(callerStop.level, daemonStop.level, hostStop.level)
  }

  refuse(by: CompiledHook, refusal: Refusal): void {
    this.refusal ??= { hook: by.hook.id, ...refusal }
  }

  /** A hook that asks again, after a rewrite, asks in place of what it asked before. */
  question(asked: AskedQuestion): void {
    const before = this.questions.findIndex(({ hook }) => hook === asked.hook)
    if (before < 0) this.questions.push(asked)
    else this.questions[before] = asked
  }

  /** A failure carries on, or refuses where the hook is closed or its guard could not be evaluated. */
  fail(by: CompiledHook, at: AtLevel, told: Told, failure: Failed): undefined {
    const guards = by.hook.failure === "closed" || (failure.kind === "condition" && by.mayRefuse)
    if (this.core.listened) this.core.publish(this.op, "hook.failed", { ...this.about(by), failed: failure })
    if (guards) this.unheard(by, at, { ...told, failed: failure }, failure.message)
    else this.emit(by, at, { ...told, failed: failure })
  }

  /** A guard that should have had its say and could not: it refuses, through the same clamp. */
  unheard(by: CompiledHook, at: AtLevel, told: Told, why: string): void {
    const drop = at.clamped.drop("refuse")
    if (drop) {
      this.emit(by, at, withDropped(told, [drop]))
      return
    }
    const refuse = { reason: `the hook \`${by.hook.id}\` failed: ${why}`, code: "hook_failed" }
    this.refuse(by, refuse)
    this.emit(by, at, { ...told, refuse })
  }

  emit(by: CompiledHook, at: AtLevel, told: Told): void {
    const withholds = this.phase === "onSuccess" && told.refuse && told.original === undefined
    const frame = hookFrame(this.op, by, at, this.op.on, told)
    if (withholds) frame.original = redacted(this.event.result, this.core.ports.sha256)
    if (told.ask && this.core.ports.ask && !this.refusal) this.held ??= []
    if (this.held) this.held.push(frame)
    else tell(this.op, frame)
    if (this.core.listened && !frame.skipped && !frame.failed) {
      const { durationMs, changed } = frame
      this.core.publish(this.op, "hook.finished", { ...this.about(by), durationMs, changed })
    }
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
