import { canonicalJson, type JsonObject } from "../effects/json.ts"
import type { ErrorValue, Frame, Outcome, Verdict } from "../frames/frames.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import { consistent } from "./consistent.ts"
import { ceilingsAtWork, decide } from "./decide.ts"
import { errorOf, refusedError } from "./errors.ts"
import { eventOf, withInput } from "./event.ts"
import { redacted } from "./hook-frame.ts"
import type { Moment } from "./moment.ts"
import { type Core, type Operation, tell } from "./operation.ts"

/** What the operation itself is given, besides the input after all hooks. */
export interface OperationContext {
  /** the whole event, in its final version */
  readonly event: JsonObject
  readonly meta: JsonObject | undefined
  /** aborted when the operation is cancelled or its time is up */
  readonly signal: AbortSignalLike | undefined
  /** passes on a frame of the operation's own, in its place in the stream */
  frame(frame: Frame): void
  /** says which exit code the `end` frame gives; the last word counts */
  exit(code: number): void
}

/**
 * What hooks stand around. It answers the result, or throws what `onError` hooks see.
 *
 * @typeParam Input the subject of `before`, as the caller says it is: hooks may have replaced it
 */
export type OperationFn<Input = unknown> = (input: Input, context: OperationContext) => unknown

/** Exit codes of the `end` frame where the operation names none: SPEC's of `call`, and of scripts when refused. */
const EXIT = { ok: 0, failed: 1, refused: { call: 2, script: 126 } as Record<string, number> }

type Refused = NonNullable<Verdict["refusal"]>

/** One operation with its hooks around it: before → operation → onSuccess | onError → suffix. */
export class Around {
  readonly #core: Core
  readonly #op: Operation
  readonly #operation: OperationFn
  readonly #moments: Moment[] = []
  #event: JsonObject
  #refusal: Refused | undefined
  #answered = false
  #result: { readonly value: unknown } | undefined
  #error: ErrorValue | undefined
  #exit: number | undefined

  constructor(core: Core, op: Operation, event: JsonObject, operation: OperationFn) {
    this.#core = core
    this.#op = op
    this.#event = event
    this.#operation = operation
  }

  /** @param nested a call made by a hook or a script: its frames stand inside another operation's stream */
  async run(nested: boolean): Promise<Verdict> {
    const { ports, listened } = this.#core
    const began = ports.now()
    if (!nested) tell(this.#op, { type: "start", runId: ports.id() })
    if (listened) this.#publish("started", {})
    // Each pass through `before` is a whole one, consent gates included; only a retry makes another.
    while (await this.#pass());
    const shown: Frame = this.#error
      ? { type: "error", error: this.#error }
      : { type: "result", value: this.#result?.value }
    if (!nested) tell(this.#op, shown)
    if (!this.#idle("suffix")) await this.#moment("suffix", this.#outcomeMembers())
    const verdict = this.#verdict()
    const durationMs = ports.now() - began
    if (listened) this.#publish(this.#refusal ? "refused" : this.#error ? "failed" : "finished", { durationMs })
    if (!nested) tell(this.#op, { type: "end", exitCode: this.#exitCode(), durationMs })
    return verdict
  }

  /** One pass; true when a hook asked for another. */
  async #pass(): Promise<boolean> {
    const before = await this.#moment("before", {})
    // An answer stands in the event as its result; it must not be taken for one when a later hook refuses.
    const { result: answer, ...event } = before.event
    this.#event = event
    if (before.refusal) return this.#failed(refusedError(this.#refuse(before.refusal)))
    this.#answered = before.answered
    if (before.answered) return this.#succeeded(answer, undefined)
    const sent = await this.#send()
    return sent.ok ? this.#succeeded(sent.result, sent.result) : this.#failed(sent.error)
  }

  async #send(): Promise<{ ok: true; result: unknown } | { ok: false; error: ErrorValue }> {
    const began = this.#core.ports.now()
    const { meta } = this.#event
    const context: OperationContext = {
      event: this.#event,
      meta: meta as JsonObject | undefined,
      signal: this.#op.signal,
      frame: (frame) => tell(this.#op, frame),
      exit: (code) => {
        this.#exit = code
      },
    }
    try {
      const result = await this.#operation(this.#event.args, context)
      this.#tellCall(began)
      return { ok: true, result }
    } catch (thrown) {
      const error = errorOf(thrown)
      this.#tellCall(began, error)
      return { ok: false, error }
    }
  }

  #tellCall(began: number, error?: ErrorValue): void {
    if (this.#op.on !== "call") return
    const { server, tool, args, annotations } = this.#event
    const { destructiveHint } = (annotations ?? {}) as { destructiveHint?: boolean }
    const { sha256, now } = this.#core.ports
    let hash: string | undefined
    tell(this.#op, {
      type: "call",
      server: String(server),
      tool: String(tool),
      // Made when somebody first reads it: to hash large arguments takes longer than all else in a call.
      get argsHash() {
        hash ??= sha256(canonicalJson(args))
        return hash
      },
      durationMs: now() - began,
      ok: error === undefined,
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
      ...(typeof destructiveHint === "boolean" ? { destructiveHint } : {}),
    })
  }

  /** @param sent what came from the server itself; undefined where nothing was sent */
  async #succeeded(result: unknown, sent: unknown): Promise<boolean> {
    if (this.#idle("onSuccess")) {
      this.#result = { value: this.#shown(sent, result) }
      return false
    }
    const after = await this.#moment("onSuccess", { result })
    if (after.refusal) this.#error = refusedError(this.#refuse(after.refusal))
    else this.#result = { value: this.#shown(sent, after.event.result) }
    return false
  }

  /** A result as the caller gets it: both of its forms say the same. */
  #shown(sent: unknown, result: unknown): unknown {
    const { fitsResult } = this.#core.ports
    if (this.#op.on !== "call" || !fitsResult) return result
    const { server, tool } = this.#event
    const shown = consistent(sent, result, (structured) => fitsResult(String(server), String(tool), structured))
    if (shown.note !== undefined) tell(this.#op, { type: "log", level: "warn", args: [shown.note] })
    return shown.result
  }

  async #failed(error: ErrorValue): Promise<boolean> {
    const after = await this.#moment("onError", { error })
    const { retry, event } = after
    if (after.refusal && !this.#refusal) {
      this.#error = refusedError(this.#refuse(after.refusal))
      return false
    }
    if (retry && !this.#op.signal?.aborted && !this.#late()) {
      if (retry !== true) this.#event = withInput(this.#event, retry.input, undefined)
      return true
    }
    if (Object.hasOwn(event, "result")) {
      this.#result = { value: this.#shown(undefined, event.result) }
      // Recovered is recovered: the failed operation's own exit code went with its error.
      this.#exit = undefined
    } else this.#error = event.error as ErrorValue
    return false
  }

  #late(): boolean {
    const { deadline } = this.#op
    return deadline !== undefined && this.#core.ports.now() >= deadline
  }

  /** Whether a moment would come to nothing: no hook is on it, nobody listens, and nothing has been cancelled. */
  #idle(phase: "onSuccess" | "suffix"): boolean {
    const { hooks, listened } = this.#core
    return !listened && !this.#op.signal?.aborted && !hooks.any(this.#op.on, phase)
  }

  async #moment(phase: "before" | "onSuccess" | "onError" | "suffix", more: JsonObject): Promise<Moment> {
    const event = eventOf(this.#op.on, phase, { ...this.#event, ...more }, this.#op.caller)
    const moment = await decide(this.#core, this.#op, phase, event)
    this.#moments.push(moment)
    // Here somebody waits for the operation, and a question that nobody can be asked is a refusal.
    const open = moment.questions[0]
    if (open && !moment.refusal && !moment.retry) {
      moment.refusal = { hook: open.hook, reason: `nobody can be asked here: ${open.question}`, code: "unanswered" }
      // The frame of the hook that asked has been told: what is withheld is known by its hash from here.
      if (phase === "onSuccess") {
        moment.refusal = {
          ...moment.refusal,
          data: { original: { ...redacted(more.result, this.#core.ports.sha256) } },
        }
      }
    }
    return moment
  }

  #refuse(refusal: Refused): Refused {
    this.#refusal = refusal
    this.#op.refused = true
    return refusal
  }

  #outcomeMembers(): JsonObject {
    return this.#error ? { error: this.#error } : { result: this.#result?.value }
  }

  #exitCode(): number {
    if (this.#refusal) return EXIT.refused[this.#op.on] ?? EXIT.failed
    return this.#exit ?? (this.#error ? EXIT.failed : EXIT.ok)
  }

  #publish(what: string, more: JsonObject): void {
    this.#core.publish(this.#op, `${this.#op.on}.${what}`, { ...this.#event, ...more })
  }

  #verdict(): Verdict {
    const all = <T>(of: (moment: Moment) => readonly T[]): T[] => this.#moments.flatMap(of)
    const outcome: Outcome = this.#refusal ? "refuse" : this.#answered ? "answer" : "continue"
    const ceilings = ceilingsAtWork(this.#op)
    return {
      outcome,
      input: this.#event.args,
      ...(this.#error ? { error: this.#error } : { result: this.#result?.value }),
      advice: all((moment) => moment.advice),
      proposals: all((moment) => moment.proposals),
      questions: all((moment) => moment.questions),
      ...(this.#refusal ? { refusal: this.#refusal } : {}),
      ...(ceilings ? { ceilings } : {}),
      frames: this.#op.frames,
    }
  }
}
