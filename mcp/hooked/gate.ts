import { isEventName } from "../../dialects/conduit/events.ts"
import { isObject, type JsonObject, sameJson } from "../../effects/json.ts"
import { isJson } from "../../effects/plain.ts"
import type { OperationContext } from "../../engine/around.ts"
import type { Engine } from "../../engine/engine.ts"
import { OperationError, refusedError } from "../../engine/errors.ts"
import type { FireOptions } from "../../engine/given.ts"
import type { ErrorValue, Frame, Verdict } from "../../frames/frames.ts"
import type { Point } from "../../policy/points.ts"
import { misfit, type Said } from "../said.ts"
import { CallFailed, clientError, withSaid } from "./failed.ts"
import { type Free, nested } from "./nesting.ts"
import type { Given } from "./per-call.ts"

/** What one request came to: what the client answered, or what hooks have made of it. */
export interface Passed {
  /** the very same where no hook has changed it */
  readonly result: unknown
  readonly changed: boolean
  readonly said: Said
}

type Send = (input: JsonObject, context: OperationContext) => Promise<unknown>

export interface GateOptions {
  engine(): Promise<Engine>
  /** what hooks are told of one request, as the object that it is known by */
  surroundings(given: Given): object
  readonly caller: JsonObject | undefined
  readonly onFrame: ((frame: Frame) => void) | undefined
}

/** Lets a client's requests through the hooks. */
export class Gate {
  readonly #options: GateOptions

  constructor(options: GateOptions) {
    this.#options = options
  }

  /**
   * Sends one request with hooks around it.
   *
   * @throws what the client has thrown, the very same error, or CallFailed where hooks have stopped it.
   */
  async around(on: Point, event: JsonObject, given: Given, send: Send): Promise<Passed> {
    let sent: { readonly result: unknown; readonly json: unknown } | undefined
    let thrown: { readonly cause: unknown; readonly error: ErrorValue } | undefined
    const operation = (free: Free) => async (input: JsonObject, context: OperationContext) => {
      try {
        const result = await free(() => send(input, context))
        sent = { result, json: jsonOf(result) }
        return sent.json
      } catch (cause) {
        thrown = { cause, error: clientError(cause, given.signal) }
        throw new OperationError(thrown.error)
      }
    }
    const engine = await this.#options.engine()
    const verdict = await nested((free) => engine.around(on, event, operation(free), this.#fire(given)))
    const said = saidIn(verdict)
    if (!verdict.error) {
      const shown = passed(verdict.result, sent, said)
      const wrong = shown.changed && (on === "resource.read" || on === "prompt.get") ? misfit(on, verdict) : undefined
      if (!wrong) return shown
      throw withSaid(new CallFailed({ kind: "hook", reason: "hook_failed", ...wrong }), said)
    }
    // A call that is cancelled while it is under way has failed in the client's own way, and no hook has stopped it.
    const own = thrown && (verdict.error.cause === "cancelled" || sameJson(verdict.error, thrown.error))
    const { signal } = given
    throw withSaid(
      own ? thrown?.cause : CallFailed.of(verdict.error, signal?.aborted ? signal.reason : undefined),
      said,
    )
  }

  /**
   * Lets hooks look at a listing.
   *
   * @throws CallFailed where they fail or refuse it.
   */
  async listed(event: JsonObject & { readonly result: unknown }, given: Given): Promise<Passed> {
    const json = jsonOf(event.result)
    const engine = await this.#options.engine()
    const fired = { ...event, result: json }
    const verdict = await nested(() => engine.fire("tools.list", "onSuccess", fired, this.#fire(given)))
    const said = saidIn(verdict)
    const [open] = verdict.questions
    const refusal =
      verdict.refusal ??
      (verdict.outcome === "ask" && open
        ? { hook: open.hook, reason: `nobody can be asked here: ${open.question}`, code: "unanswered" }
        : undefined)
    if (refusal) throw withSaid(CallFailed.of(refusedError(refusal)), said)
    return passed(verdict.result, { result: event.result, json }, said)
  }

  #fire(given: Given): FireOptions {
    const { onFrame, surroundings } = this.#options
    const caller = given.caller ?? this.#options.caller
    return {
      partOf: surroundings(given),
      ...(caller === undefined ? {} : { caller }),
      ...(given.signal && { signal: given.signal }),
      ...(onFrame && { onFrame }),
    }
  }
}

function passed(
  shown: unknown,
  sent: { readonly result: unknown; readonly json: unknown } | undefined,
  said: Said,
): Passed {
  if (sent && shown === sent.json) return { result: sent.result, changed: false, said }
  return { result: shown, changed: true, said }
}

/** A value as it would be on the wire; the very same where it is JSON already. */
const jsonOf = (value: unknown): unknown => (value === undefined || isJson(value) ? value : wire(value))

/** A copy of a value as it is on the wire. @throws TypeError where JSON cannot carry it. */
export const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** That a hook has been skipped is told in frames and telemetry; the result stays as it was. */
const saidIn = ({ advice, proposals }: Verdict): Said => ({
  advice: advice.filter(({ hook, data }) => !(isEventName(hook) && isObject(data) && "failure" in data)),
  proposals,
})
