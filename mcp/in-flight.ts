/**
 * What is under way, by its id, in no order. V8 makes a new table when a Map of few entries loses one, and chains it to the old
 * one: with an entry a call, what old tables hold outlives each young collection.
 */
export class InFlight<Id, What> {
  readonly #ids: Id[] = []
  readonly #whats: What[] = []

  get size(): number {
    return this.#ids.length
  }

  add(id: Id, what: What): void {
    this.#ids.push(id)
    this.#whats.push(what)
  }

  get(id: Id): What | undefined {
    const at = this.#ids.lastIndexOf(id)
    return at < 0 ? undefined : this.#whats[at]
  }

  has(id: Id): boolean {
    return this.#ids.includes(id)
  }

  /** Whether there was any. */
  delete(id: Id): boolean {
    const at = this.#ids.lastIndexOf(id)
    if (at < 0) return false
    const lastId = this.#ids.pop() as Id
    const last = this.#whats.pop() as What
    if (at < this.#ids.length) {
      this.#ids[at] = lastId
      this.#whats[at] = last
    }
    return true
  }

  /** All that is there now; what ends meanwhile stays in this list. */
  all(): readonly What[] {
    return [...this.#whats]
  }
}
