/** What asking models has used. */
export interface Used {
  readonly calls: number
  /** input and output together */
  readonly tokens: number
  /** US dollars */
  readonly cost: number
}

const NOTHING: Used = Object.freeze({ calls: 0, tokens: 0, cost: 0 })

/** Sums by caller, and by caller and hook. */
export class Tally {
  readonly #sums = new Map<string, Used>()

  add(caller: string, hook: string, used: Used): void {
    for (const name of [nameOf(caller), nameOf(caller, hook)]) {
      const { calls, tokens, cost } = this.#sums.get(name) ?? NOTHING
      this.#sums.set(name, { calls: calls + used.calls, tokens: tokens + used.tokens, cost: cost + used.cost })
    }
  }

  used(caller: string, hook?: string): Used {
    return this.#sums.get(nameOf(caller, hook)) ?? NOTHING
  }

  clear(): void {
    this.#sums.clear()
  }
}

const nameOf = (caller: string, hook?: string): string => JSON.stringify(hook === undefined ? [caller] : [caller, hook])
