import type { Happening } from "../engine/ports.ts"
import { takesKind } from "../policy/happenings.ts"

/** How many events are kept for those who come back, and how many wait for one reader. */
const KEPT = 1024
const QUEUE = 256

/** One event as readers get it; its text is made once, however many they are. */
interface Published {
  readonly seq: number
  readonly type: string
  readonly text: string
}

/** What readers are told in an event's place. */
type Told = Published | { readonly dropped: number }

export interface SubscribeOptions {
  /** plain prefixes of kinds; absent: all */
  readonly kinds?: readonly string[]
  /** the last number that the reader has seen; absent: from now on */
  readonly from?: number
}

/**
 * Everything that happens, for whoever reads along. Publishing never waits for a reader: one that is too slow loses
 * events, and is told how many.
 */
export class Bus {
  #seq = 0
  readonly #kept: Published[] = []
  readonly #subscribers = new Set<Subscriber>()
  #waking = false
  #closed = false
  /** events that readers have lost, all together */
  dropped = 0

  get subscribers(): number {
    return this.#subscribers.size
  }

  /** The number of the next event. */
  next(): number {
    this.#seq++
    return this.#seq
  }

  /** Publishes an event that has its number. */
  publish(happening: Happening): void {
    const { type } = happening
    const seq = Number(happening.seq)
    const time = new Date().toISOString()
    const data = JSON.stringify({ ...happening, seq, time })
    const event: Published = { seq, type, text: `id: ${seq}\nevent: ${type}\ndata: ${data}\n\n` }
    this.#kept.push(event)
    if (this.#kept.length > KEPT) this.#kept.shift()
    for (const subscriber of this.#subscribers) this.dropped += subscriber.offer(event)
    if (!this.#waking && this.#subscribers.size > 0) {
      this.#waking = true
      // Whatever happens in one turn is written together.
      setImmediate(() => this.#wake())
    }
  }

  /** Reads along from now on, or from after an event that was seen before; what is not kept any more is told as lost. */
  subscribe({ kinds = ["*"], from }: SubscribeOptions): Subscriber {
    const subscriber = new Subscriber(kinds, () => this.#subscribers.delete(subscriber))
    if (from !== undefined) subscriber.catchUp(this.#kept, from > this.#seq ? 0 : from)
    if (this.#closed) subscriber.close()
    else this.#subscribers.add(subscriber)
    return subscriber
  }

  /** Ends all reading; what waits is still read. */
  close(): void {
    this.#closed = true
    for (const subscriber of this.#subscribers) subscriber.close()
  }

  #wake(): void {
    this.#waking = false
    for (const subscriber of this.#subscribers) subscriber.wake()
  }
}

/** One reader's place. INVARIANT: it never holds more than its queue (test/daemon/bus.test.ts). */
export class Subscriber {
  readonly #kinds: readonly string[]
  readonly #leave: () => void
  #queue: Told[] = []
  #lost = 0
  #closed = false
  #waiting: (() => void) | undefined

  constructor(kinds: readonly string[], leave: () => void) {
    this.#kinds = kinds
    this.#leave = leave
  }

  /** How many events were lost by this one: 0 or 1. */
  offer(event: Published): 0 | 1 {
    if (!this.#kinds.some((kind) => takesKind(kind, event.type))) return 0
    if (this.#queue.length < QUEUE) {
      this.#queue.push(event)
      return 0
    }
    this.#lost++
    return 1
  }

  /** What was published after `from` and is kept: all of it is read at once, so that no queue is in its way. */
  catchUp(kept: readonly Published[], from: number): void {
    const first = kept[0]?.seq ?? from + 1
    if (first > from + 1) this.#queue.push({ dropped: first - from - 1 })
    for (const event of kept) {
      if (event.seq > from && this.#kinds.some((kind) => takesKind(kind, event.type))) this.#queue.push(event)
    }
  }

  wake(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.()
  }

  /** What waits, as text of one write; undefined at the end. An empty text: nothing has come for so many milliseconds. */
  async read(patienceMs: number): Promise<string | undefined> {
    if (this.#queue.length === 0 && !this.#closed) await this.#something(patienceMs)
    if (this.#queue.length === 0) return this.#closed ? undefined : ""
    const text = this.#queue.map((told) => ("text" in told ? told.text : droppedText(told.dropped))).join("")
    this.#queue = []
    if (this.#lost > 0) {
      // It stands where the lost ones would have: after what was queued before them.
      this.#queue.push({ dropped: this.#lost })
      this.#lost = 0
    }
    return text
  }

  /** Ends it: what waits is still read. */
  close(): void {
    this.#closed = true
    this.#leave()
    this.wake()
  }

  #something(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), patienceMs)
      this.#waiting = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const droppedText = (dropped: number): string => `event: dropped\ndata: ${JSON.stringify({ dropped })}\n\n`
