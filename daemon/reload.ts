import type { Policy } from "../policy/policy.ts"
import { held, type Loaded, loadWhole } from "./load.ts"
import { someGone } from "./signs.ts"
import { Watch } from "./watch.ts"
import type { World } from "./world.ts"

/** What is told of a reload: what a person should know of the policy now in force, or why the last good one still is. */
export type Reloaded = { readonly notices: readonly string[] } | { readonly error: string }

export interface Reloading {
  readonly world: World
  /** what the daemon started with */
  readonly started: Loaded
  /** puts a policy into force, in one step */
  readonly use: (loaded: Loaded) => Promise<void>
  readonly tell: (reloaded: Reloaded) => void
}

/**
 * Reads the policy again when its files change, and puts it into force when it is whole. One that is not leaves the last
 * good one as it is.
 *
 * INVARIANT: at no moment is no policy in force (test/daemon/reload.test.ts).
 */
export class Reloader {
  readonly #reloading: Reloading
  readonly #started: Policy
  readonly #watch: Watch
  #last: Promise<unknown> = Promise.resolve()
  #closed = false
  /** why what is written is not in force; absent: it is */
  error: string | undefined

  constructor(reloading: Reloading) {
    const { started } = reloading
    this.#reloading = reloading
    this.#started = started.policy
    this.#watch = new Watch(started.signs, () => this.reload())
  }

  /** Reads it now, after what is being read; answers whether what is written is in force. */
  reload(): Promise<boolean> {
    return this.inTurn(() => this.#read())
  }

  /** Does something after what is being read, and before anything else is. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => {})
    return next
  }

  /** Waits for what is being read, and reads nothing any more. */
  async close(): Promise<void> {
    this.#closed = true
    this.#watch.close()
    await this.#last
  }

  async #read(): Promise<boolean> {
    if (this.#closed) return true
    const { world, use, tell } = this.#reloading
    const before = this.#watch.now()
    try {
      const loaded = held(await loadWhole(world), this.#started)
      // Somebody is moving files about: what was read may be half of it, and the watch comes back.
      if (someGone(before, this.#watch.now())) return this.error === undefined
      await use(loaded)
      this.#watch.note(loaded.signs)
      this.error = undefined
      tell({ notices: loaded.notices })
    } catch (cause) {
      this.#watch.note(before)
      const error = cause instanceof Error ? cause.message : String(cause)
      if (error !== this.error) tell({ error })
      this.error = error
    }
    return this.error === undefined
  }
}
