import { COUNTS, type Count, SPANS, type Span } from "../../policy/budget.ts"
import type { Budget } from "../../policy/prompt.ts"
import { type Ledger, LedgerError } from "./ledger.ts"
import { Tally, type Used } from "./tally.ts"

/** Who asks a model, through which hook, as part of what, and what limits that. */
export interface Spender {
  readonly caller: string
  readonly hook: string
  /** the operation that all this is part of */
  readonly run: object
  readonly own: Budget | undefined
  readonly all: Budget | undefined
}

const ONE_CALL: Used = Object.freeze({ calls: 1, tokens: 0, cost: 0 })

/**
 * Counts for each caller what its prompts use, by hook and in all, in one run and in one day.
 *
 * A call counts when it is sent, tokens and dollars when the answer is there: those of answers under way are not known yet, so
 * that a limit on these is passed by at most what was under way when it was reached.
 */
export class Budgets {
  readonly #runs = new WeakMap<object, Tally>()
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /**
   * Counts one call, or says what is spent; then nothing may be sent. It is looked at before, so that what is spent is not
   * counted again and again, and after, since another process may have counted meanwhile.
   */
  take(spender: Spender): string | undefined {
    try {
      const before = this.#spent(spender, ONE_CALL.calls)
      if (before !== undefined) return before
      this.#add(spender, ONE_CALL)
      const spent = this.#spent(spender, 0)
      if (spent !== undefined) this.#add(spender, { ...ONE_CALL, calls: -1 })
      return spent
    } catch (cause) {
      if (cause instanceof LedgerError) return `what was used today cannot be counted: ${cause.message}`
      throw cause
    }
  }

  /** Counts what an answer used. A day that can no longer be counted is found at the next call. */
  use(spender: Spender, used: Omit<Used, "calls">): void {
    try {
      this.#add(spender, { calls: 0, ...used })
    } catch (cause) {
      if (!(cause instanceof LedgerError)) throw cause
    }
  }

  #add(spender: Spender, used: Used): void {
    const { caller, hook, run } = spender
    if (isDaily(spender)) this.#ledger.add({ caller, hook, ...used })
    this.#tallyOf(run).add(caller, hook, used)
  }

  #tallyOf(run: object): Tally {
    const known = this.#runs.get(run)
    if (known) return known
    const tally = new Tally()
    this.#runs.set(run, tally)
    return tally
  }

  /** @param more calls that are not counted yet */
  #spent(spender: Spender, more: number): string | undefined {
    const { caller, hook, own, all } = spender
    for (const span of SPANS) {
      for (const [budget, one] of [[own, hook] as const, [all, undefined] as const]) {
        const limit = budget?.[span]
        if (!limit) continue
        const used = this.#used(spender, span, caller, one)
        const count = COUNTS.find((name) => isOver(name, used[name] + (name === "calls" ? more : 0), limit[name]))
        if (count) return sentence(count, limit[count]!, span, one)
      }
    }
    return undefined
  }

  #used({ run }: Spender, span: Span, caller: string, hook: string | undefined): Used {
    return span === "run" ? this.#tallyOf(run).used(caller, hook) : this.#ledger.used(caller, hook)
  }
}

/** The call itself is among those that are used; tokens and dollars are reached when nothing is left for another. */
const isOver = (count: Count, used: number, limit: number | undefined): boolean =>
  limit !== undefined && (count === "calls" ? used > limit : used >= limit)

const sentence = (count: Count, limit: number, span: Span, hook: string | undefined): string => {
  const much = count === "cost" ? `$${limit}` : `${limit} ${count}`
  return `${much} a ${span} for ${hook === undefined ? "all prompts" : "this hook"}`
}

const isDaily = ({ own, all }: Spender): boolean => own?.day !== undefined || all?.day !== undefined

type Limits = Pick<Spender, "own" | "all">

const counts = ({ own, all }: Limits, count: Count): boolean =>
  [own, all].some((budget) => SPANS.some((span) => budget?.[span]?.[count] !== undefined))

/** Whether a limit is in dollars, and so needs a price. */
export const countsCost = (limits: Limits): boolean => counts(limits, "cost")

/** Whether a limit needs to know the tokens of an answer. */
export const countsTokens = (limits: Limits): boolean => counts(limits, "tokens") || counts(limits, "cost")
