import { failed } from "../frames/failures.ts"
import type { AtLevel, CompiledHook, Match } from "./compile.ts"
import { honour, type Started } from "./honour.ts"
import type { Concerned } from "./hooks.ts"
import { invoke } from "./invoke.ts"
import { type Moment, ruleResult, skipOf } from "./moment.ts"

/**
 * Runs the hooks of a moment in declared order. Neighbours below `apply` cannot change the value, so they run side by
 * side; each one at `apply` or above runs alone and feeds the next. A refusal ends the moment after the group it came in.
 *
 * @returns a promise only where something has to be waited for: rules alone take no turn of the event loop.
 */
export const conduct = (moment: Moment): Promise<void> | undefined => new Pass(moment).run()

/** One pass through the hooks of a moment. */
class Pass {
  readonly #moment: Moment
  readonly #concerned: Concerned
  #next = 0

  constructor(moment: Moment) {
    this.#moment = moment
    this.#concerned = moment.concerned()
  }

  run(): Promise<void> | undefined {
    const moment = this.#moment
    moment.heedCancellation()
    while (!moment.refusal && this.#seek() !== "no") {
      const pending = this.#runGroup()
      if (pending) return pending.then(() => moment.heed()).then(() => this.run())
      moment.heed()
    }
    this.#tellRest()
    return undefined
  }

  /** Goes on to the next hook that the event concerns, or whose condition cannot be evaluated; "no": there is none. */
  #seek(): Match {
    const { tests } = this.#concerned
    const { event } = this.#moment
    let next = this.#next
    try {
      while (next < tests.length && !tests[next]!(event)) next++
      return next < tests.length ? "yes" : "no"
    } catch {
      return "failed"
    } finally {
      this.#next = next
    }
  }

  /** Starts a group; what has its answer at once counts at once, up to the first that has to be waited for. */
  #runGroup(): Promise<void> | undefined {
    const moment = this.#moment
    let waiting: Started[] | undefined
    for (let match = this.#seek(), first = true; match !== "no"; match = this.#seek(), first = false) {
      const by = this.#concerned.hooks[this.#next]!
      const at = moment.at(by)
      if (at.alone && !first) break
      const started = start(moment, by, at, match === "failed")
      this.#next++
      if (waiting) waiting.push(started)
      else if (started.pending) waiting = [started]
      else {
        const running = honour(moment, started)
        if (running) return running
      }
      if (at.alone) break
    }
    return waiting && this.#settle(waiting)
  }

  /** Waits for all, then makes their answers count, in declared order. */
  async #settle(group: readonly Started[]): Promise<void> {
    await Promise.all(group.map(({ pending }) => pending))
    for (const started of group) await honour(this.#moment, started)
  }

  /** The hooks that a refusal kept from running. */
  #tellRest(): void {
    const moment = this.#moment
    for (; this.#seek() !== "no"; this.#next++) {
      const by = this.#concerned.hooks[this.#next]!
      const at = moment.at(by)
      const frame = moment.draft(by, at, 0)
      frame.skipped = skipOf(moment.op, by, at) ?? "refused"
      moment.emit(by, frame)
    }
  }
}

function start(moment: Moment, by: CompiledHook, at: AtLevel, broken: boolean): Started {
  const { core, op, event } = moment
  const skipped = skipOf(op, by, at)
  if (skipped) return { by, at, durationMs: 0, skipped }
  if (at.refuses) moment.seen.push({ by, event })
  if (broken) return { by, at, durationMs: 0, result: { failed: failed("condition") } }
  if (core.listened) core.publish(op, "hook.started", moment.about(by))
  // What comes with a server has to wait until the server is there.
  if (by.hook.grant) return startAction(moment, by, at)
  if (at.fixed) return { by, at, durationMs: 0, result: by.rule!.fixed! }
  if (!by.rule) return startAction(moment, by, at)
  const began = core.ports.now()
  const result = ruleResult(by, event)
  return { by, at, durationMs: core.ports.now() - began, result }
}

function startAction({ core, op, event }: Moment, by: CompiledHook, at: AtLevel): Started {
  const began = core.ports.now()
  const started: Started = { by, at, durationMs: 0 }
  started.pending = invoke(core, op, by, at.clamped.effect, event).then((result) => {
    started.durationMs = core.ports.now() - began
    started.result = result
  })
  return started
}
