/** One entry of the wheel. */
export interface Deadline {
  cancel(): void
}

interface Entry extends Deadline {
  fire: (() => void) | undefined
}

/** Milliseconds between two turns: a deadline fires at most about this much late, and never early. */
const SLOT_MS = 20

/**
 * All deadlines behind one timer. Adding one is a push and cancelling one an assignment; the timer turns only while
 * something waits, and stops by itself within one slot of the last entry's end.
 */
export class DeadlineWheel {
  readonly #slots = new Map<number, Entry[]>()
  readonly #now: () => number
  readonly #after: (ms: number, fn: () => void) => () => void
  #turned = 0
  #turning = false
  #live = 0

  constructor(now: () => number, after: (ms: number, fn: () => void) => () => void) {
    this.#now = now
    this.#after = after
  }

  /** Calls `fire` once, `ms` milliseconds from now, unless it is cancelled before. */
  add(ms: number, fire: () => void): Deadline {
    const now = this.#now()
    if (!this.#turning) this.#start(now)
    const slot = Math.max(Math.ceil((now + ms) / SLOT_MS), this.#turned + 1)
    const entry: Entry = {
      fire,
      cancel: () => {
        if (entry.fire === undefined) return
        entry.fire = undefined
        this.#live--
      },
    }
    const entries = this.#slots.get(slot)
    if (entries) entries.push(entry)
    else this.#slots.set(slot, [entry])
    this.#live++
    return entry
  }

  #start(now: number): void {
    this.#turning = true
    this.#turned = Math.floor(now / SLOT_MS)
    this.#after(SLOT_MS, () => this.#turn())
  }

  #turn(): void {
    const due = Math.floor(this.#now() / SLOT_MS)
    while (this.#turned < due) this.#fire(++this.#turned)
    if (this.#live > 0) {
      this.#after(SLOT_MS, () => this.#turn())
      return
    }
    this.#turning = false
    this.#slots.clear()
  }

  #fire(slot: number): void {
    const entries = this.#slots.get(slot)
    if (!entries) return
    this.#slots.delete(slot)
    for (const entry of entries) {
      const { fire } = entry
      entry.cancel()
      fire?.()
    }
  }
}
