import type { Dropped } from "../clamp/clamp.ts"
import { cut, dropOf } from "../clamp/cut.ts"
import type { JsonObject } from "../effects/json.ts"
import { rank } from "../effects/levels.ts"
import type { Output, Refusal } from "../effects/outputs.ts"
import { type Failed, failed } from "../frames/failures.ts"
import type { AskedQuestion, HookFrame, Skip, Usage, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { AtLevel, CompiledHook, Match } from "./compile.ts"
import { hookFrame, redacted, type Told, tellOutput, withDropped } from "./hook-frame.ts"
import { invoke, outputOf } from "./invoke.ts"
import { type Core, type Operation, tell } from "./operation.ts"
import type { ActionResult } from "./ports.ts"
import { perform, withinMay } from "./runs.ts"
import { applyTo, fits } from "./subject.ts"

/** A hook that has been started: what it saw, and what it came to or will come to. */
interface Started {
  readonly by: CompiledHook
  readonly at: AtLevel
  readonly began: number
  result?: ActionResult
  skipped?: Skip
  pending?: Promise<void>
}

/** What the hooks of one moment came to, while they run and afterwards. */
export class Moment {
  event: JsonObject
  refusal: Verdict["refusal"]
  /** before: the result that a hook answered with; nothing is sent */
  answered = false
  retry: true | { readonly input: unknown } | undefined
  /** how often the input was replaced: a hook that saw an earlier version is asked again */
  version = 0
  readonly advice: Verdict["advice"][number][] = []
  readonly proposals: Verdict["proposals"][number][] = []
  readonly questions: AskedQuestion[] = []
  readonly seen = new Map<CompiledHook, { readonly version: number; readonly event: JsonObject }>()
  readonly core: Core
  readonly op: Operation
  readonly phase: Exclude<Phase, "observe">
  /** frames that wait for the answer to a question, from the first hook that asked */
  held: HookFrame[] | undefined
  #lowered: JsonObject | undefined

  constructor(core: Core, op: Operation, phase: Exclude<Phase, "observe">, event: JsonObject) {
    this.core = core
    this.op = op
    this.phase = phase
    this.event = event
    this.#lower()
  }

  /** Every version of the event may lower the daemon's ceiling; none raises it. */
  #lower(): void {
    if (this.#lowered === this.event) return
    this.#lowered = this.event
    this.op.daemonStop = this.core.daemon.lower(this.op.daemonStop, this.event)
  }

  /** The hooks whose names fit the event, in declared order. */
  hooks(): readonly CompiledHook[] {
    const { server, tool, kind } = this.event as Record<string, string | undefined>
    return this.core.hooks.concerning(this.op.on, this.phase, server, tool, kind)
  }

  /**
   * Runs the hooks in declared order. Neighbours below `apply` cannot change the value, so they run side by side; each
   * one at `apply` or above runs alone and feeds the next. A refusal ends the moment after the group it came in.
   */
  async run(): Promise<void> {
    const hooks = this.hooks()
    let next = 0
    this.#heedCancellation()
    while (next < hooks.length && !this.refusal) {
      const group: Started[] = []
      let waits = false
      for (; next < hooks.length; next++) {
        const by = hooks[next]!
        const match = by.matches(this.event)
        if (match === "no") continue
        const at = this.at(by)
        const alone = rank(at.clamped.effect) >= rank("apply")
        if (alone && group.length > 0) break
        const started = this.#start(by, at, match)
        if (started.pending) waits = true
        group.push(started)
        if (alone) {
          next++
          break
        }
      }
      if (waits) await Promise.all(group.map((started) => started.pending))
      for (const started of group) {
        const settling = this.#settle(started)
        if (settling) await settling
      }
      this.#lower()
      this.#heedCancellation()
    }
    for (; next < hooks.length; next++) {
      const by = hooks[next]!
      if (by.matches(this.event) !== "no")
        this.emit(by, this.at(by), { skipped: skipOf(this.op, by, this.at(by)) ?? "refused" })
    }
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

  #start(by: CompiledHook, at: AtLevel, match: Match): Started {
    const began = this.core.ports.now()
    const skipped = skipOf(this.op, by, at)
    if (skipped) return { by, at, began, skipped }
    this.seen.set(by, { version: this.version, event: this.event })
    if (match === "failed") return { by, at, began, result: { failed: failed("condition") } }
    if (this.core.listened) this.core.publish(this.op, "hook.started", this.about(by))
    if (by.rule) return { by, at, began, result: ruleResult(by, this.event) }
    const started: Started = { by, at, began }
    started.pending = invoke(this.core, this.op, by, at.clamped.effect, this.event).then((result) => {
      started.result = result
    })
    return started
  }

  /** Makes one hook's answer count. Answers a promise only where something is run in consequence. */
  #settle(started: Started): Promise<void> | undefined {
    const { by, at, began, result, skipped } = started
    const durationMs = this.core.ports.now() - began
    if (skipped) {
      this.emit(by, at, { skipped })
      return undefined
    }
    if (result === undefined || "skipped" in result) {
      const notes = result ? [result.warning] : []
      this.#unheard(by, at, { durationMs, skipped: "no-model", notes }, "no model is configured, or its key is not set")
      return undefined
    }
    const told: Told = { durationMs, ...extras(result) }
    if ("failed" in result) return this.fail(by, at, told, result.failed)
    const raw = outputOf(result)
    const answer = raw === undefined ? undefined : (at.fixed ?? cut(raw, at.clamped, this.phase))
    if (!answer?.kept) {
      return this.fail(by, at, withDropped(told, answer?.dropped ?? []), failed("bad-output"))
    }
    return this.#honour(by, at, withDropped(told, answer.dropped), answer.kept)
  }

  #honour(by: CompiledHook, at: AtLevel, told: Told, output: Output): Promise<void> | undefined {
    const within = withinMay(this.op, by, at.clamped, output)
    let { kept } = within
    told = withDropped(told, within.dropped)
    if (kept.run?.retry && this.retry) {
      ;({ kept, told } = this.#lost(kept, "run", at, told))
    }
    if (kept.apply && this.answered) ({ kept, told } = this.#lost(kept, "apply", at, told))
    const replaced = this.#replace(by, kept)
    if (replaced === undefined) return this.fail(by, at, told, failed("bad-output"))
    const said: Told = { ...told, ...tellOutput(kept), ...replaced }
    this.#collect(by, kept)
    if (!kept.run) {
      this.emit(by, at, said)
      return undefined
    }
    if (kept.run.retry) this.#takeRetry(by, kept.run.retry)
    return perform(this.core, this.op, by, at.clamped.effect, this.event, kept.run).then((ran) => {
      this.emit(by, at, { ...said, ran: [ran] })
    })
  }

  /** A key that another hook's stronger key has overtaken. */
  #lost(kept: Output, key: "run" | "apply", at: AtLevel, told: Told): { kept: Output; told: Told } {
    const { [key]: _, ...rest } = kept
    return { kept: rest, told: withDropped(told, [dropOf(key, at.clamped, "refused")]) }
  }

  /** Puts the replacement in place; undefined where it does not fit there. */
  #replace(by: CompiledHook, kept: Output): Told | undefined {
    const { ports } = this.core
    if (kept.run?.retry && kept.run.retry !== true && !fits(this.event, kept.run.retry.input, ports)) return undefined
    if (!kept.apply) return {}
    const applied = applyTo(this.event, kept.apply, ports)
    if (!applied) return undefined
    if (!applied.changed) return {}
    this.event = applied.event
    this.version++
    if (applied.answers) this.answered = true
    const { redact } = by.hook
    return { changed: true, original: redact ? redacted(applied.original, ports.sha256) : applied.original }
  }

  #takeRetry(by: CompiledHook, retry: true | { readonly input: unknown }): void {
    this.retry = retry
    this.op.retried.add(by)
    this.op.retries++
  }

  #collect(by: CompiledHook, kept: Output): void {
    const hook = by.hook.id
    for (const advice of kept.advise ?? []) this.advice.push({ hook, ...advice })
    if (kept.propose) this.proposals.push({ hook, ...kept.propose })
    if (kept.ask) this.question({ hook, ...kept.ask })
    if (kept.refuse) this.refuse(by, kept.refuse)
  }

  /** A hook that asks again, after a rewrite, asks in place of what it asked before. */
  question(asked: AskedQuestion): void {
    const before = this.questions.findIndex(({ hook }) => hook === asked.hook)
    if (before < 0) this.questions.push(asked)
    else this.questions[before] = asked
  }

  refuse(by: CompiledHook, refusal: Refusal): void {
    this.refusal ??= { hook: by.hook.id, ...refusal }
  }

  /** A failure carries on, or refuses where the hook is closed or its guard could not be evaluated. */
  fail(by: CompiledHook, at: AtLevel, told: Told, failure: Failed): undefined {
    const guards = by.hook.failure === "closed" || (failure.kind === "condition" && by.mayRefuse)
    if (this.core.listened) this.core.publish(this.op, "hook.failed", { ...this.about(by), failed: failure })
    if (guards) this.#unheard(by, at, { ...told, failed: failure }, failure.message, true)
    else this.emit(by, at, { ...told, failed: failure })
  }

  /** A hook that should have had its say and could not: a closed one refuses, through the same clamp. */
  #unheard(by: CompiledHook, at: AtLevel, told: Told, why: string, guards = by.hook.failure === "closed"): void {
    const drop: Dropped | undefined = guards ? at.clamped.drop("refuse") : undefined
    if (!guards || drop) {
      this.emit(by, at, drop ? withDropped(told, [drop]) : told)
      return
    }
    const refuse = { reason: `the hook \`${by.hook.id}\` failed: ${why}`, code: "hook_failed" }
    this.refuse(by, refuse)
    this.emit(by, at, { ...told, refuse })
  }

  emit(by: CompiledHook, at: AtLevel, told: Told): void {
    const withheld = this.phase === "onSuccess" && told.refuse && told.original === undefined
    if (withheld) told = { ...told, original: redacted(this.event.result, this.core.ports.sha256) }
    const frame = hookFrame(this.op, by, at, this.op.on, told)
    if (told.ask && this.core.ports.ask && !this.refusal) this.held ??= []
    if (this.held) this.held.push(frame)
    else tell(this.op, frame)
    if (this.core.listened && !frame.skipped && !frame.failed) {
      this.core.publish(this.op, "hook.finished", {
        ...this.about(by),
        durationMs: frame.durationMs,
        changed: frame.changed,
      })
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
  return op.stack.includes(by) && by.hook.action.kind !== "rule" ? "recursion" : undefined
}

export function ruleResult(by: CompiledHook, event: JsonObject): ActionResult {
  try {
    return { output: by.rule!.output(event) }
  } catch {
    return { failed: failed("condition") }
  }
}

const extras = (result: { usage?: Usage; notes?: readonly string[] }): Told => ({
  ...(result.usage ? { usage: result.usage } : {}),
  ...(result.notes?.length ? { notes: result.notes } : {}),
})
