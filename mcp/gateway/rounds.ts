import { randomUUID } from "node:crypto"
import { ProtocolError } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import { OperationError } from "../../engine/errors.ts"
import type { InputRequest } from "../peer.ts"
import type { Leg } from "./leg.ts"

const INVALID_PARAMS = -32602

/** Milliseconds for which an operation waits for a client's next round. */
const PATIENCE_MS = 10 * 60_000

interface Open {
  readonly request: InputRequest
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (cause: Error) => void
}

/** What a client of the 2026 revision brings in its next round. */
export interface Round {
  readonly state: unknown
  readonly responses: Readonly<Record<string, unknown>> | undefined
}

/** A result that is none yet. */
export interface Needs {
  readonly needs: JsonObject
}

/**
 * Operations of clients that answer in rounds (revision 2026-07-28): a request that needs input is answered with what it
 * needs, and goes on where it stood when the client comes back with it. The gate's operation is one all the while.
 */
export class Rounds {
  readonly #waiting = new Map<string, Paused<unknown>>()

  /**
   * One round of a request: what it came to, or the result that says what it needs to go on.
   *
   * @param owner whoever may bring the next round
   * @throws ProtocolError on a state that is unknown, expired or another's.
   */
  async serve<T>(
    owner: string,
    leg: Leg,
    round: Round,
    run: (leg: Leg) => Promise<T>,
  ): Promise<{ readonly done: T } | Needs> {
    const paused = round.state === undefined ? new Paused<T>(owner, run) : (this.#take(owner, round.state) as Paused<T>)
    const done = await paused.next(leg, round.responses ?? {})
    if (done) return done
    const state = randomUUID()
    this.#waiting.set(state, paused)
    paused.expire(() => this.#waiting.delete(state))
    return { needs: { resultType: "input_required", inputRequests: paused.requests(), requestState: state } }
  }

  #take(owner: string, state: unknown): Paused<unknown> {
    const paused = typeof state === "string" ? this.#waiting.get(state) : undefined
    if (!paused || paused.owner !== owner) {
      throw new ProtocolError(INVALID_PARAMS, "unknown or expired `requestState`")
    }
    this.#waiting.delete(state as string)
    return paused
  }

  /** Gives up what still waits. */
  close(): void {
    for (const paused of this.#waiting.values()) paused.giveUp()
    this.#waiting.clear()
  }
}

class Paused<T> {
  readonly owner: string
  readonly #run: (leg: Leg) => Promise<T>
  readonly #open = new Map<string, Open>()
  readonly #cancel = new AbortController()
  #outcome: Promise<{ readonly done: T }> | undefined
  #leg: Leg | undefined
  #needs: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #last = 0

  constructor(owner: string, run: (leg: Leg) => Promise<T>) {
    this.owner = owner
    this.#run = run
  }

  /** Goes on in this round; undefined where it needs input before it can end. */
  async next(leg: Leg, responses: Readonly<Record<string, unknown>>): Promise<{ readonly done: T } | undefined> {
    clearTimeout(this.#timer)
    this.#leg = leg
    const cancelled = (): void => this.giveUp()
    leg.signal.addEventListener("abort", cancelled, { once: true })
    const needs = new Promise<undefined>((resolve) => {
      this.#needs = () => resolve(undefined)
    })
    this.#outcome ??= this.#run({
      ...leg,
      signal: this.#cancel.signal,
      input: (request) => this.#ask(request),
      notify: (method, params) => this.#tell(method, params),
    }).then((done) => ({ done }))
    // A failure is told in the round that waits for it, which may be a later one.
    this.#outcome.catch(() => {})
    this.#answer(responses)
    if (this.#open.size > 0) this.#needs?.()
    try {
      return await Promise.race([this.#outcome, needs])
    } finally {
      leg.signal.removeEventListener("abort", cancelled)
      this.#leg = undefined
      this.#needs = undefined
    }
  }

  /** News goes with the round that waits, and of progress under that round's own token. */
  #tell(method: string, params: JsonObject): void {
    const { progressToken, notify } = this.#leg ?? {}
    notify?.(
      method,
      method === "notifications/progress" && progressToken !== undefined ? { ...params, progressToken } : params,
    )
  }

  /** What is still to be answered, by key. */
  requests(): JsonObject {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]))
  }

  expire(forget: () => void): void {
    this.#timer = setTimeout(() => {
      forget()
      this.giveUp()
    }, PATIENCE_MS)
    this.#timer.unref()
  }

  giveUp(): void {
    clearTimeout(this.#timer)
    this.#cancel.abort()
    const gone = new OperationError({ code: "cancelled", message: "the client did not come back with an answer" })
    for (const { reject } of this.#open.values()) reject(gone)
    this.#open.clear()
  }

  #ask(request: InputRequest): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#open.set(`d${++this.#last}`, { request, resolve, reject })
      this.#needs?.()
    })
  }

  #answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, { resolve }] of [...this.#open]) {
      if (!Object.hasOwn(responses, key)) continue
      this.#open.delete(key)
      resolve(responses[key] as JsonObject)
    }
  }
}
