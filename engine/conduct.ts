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
      const group = this.#startGroup()
      const settled = this.#settled(group)
      if (settled) return settled.then(() => moment.heed()).then(() => this.run())
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

  #startGroup(): Started[] {
    const group: Started[] = []
    for (let match = this.#seek(); match !== "no"; match = this.#seek()) {
      const by = this.#concerned.hooks[this.#next]!
      const at = this.#moment.at(by)
      if (at.alone && group.length > 0) break
      group.push(start(this.#moment, by, at, match === "failed"))
      this.#next++
      if (at.alone) break
    }
    return group
  }

  #settled(group: readonly Started[]): Promise<void> | undefined {
    const pending = group.flatMap((started) => started.pending ?? [])
    if (pending.length === 0) return this.#honour(group, 0)
    return Promise.all(pending).then(() => this.#honour(group, 0))
  }

  /** Makes the answers of a group count, in declared order. */
  #honour(group: readonly Started[], from: number): Promise<void> | undefined {
    for (let index = from; index < group.length; index++) {
      const honoured = honour(this.#moment, group[index]!)
      if (honoured) return honoured.then(() => this.#honour(group, index + 1))
    }
    return undefined
  }

  /** The hooks that a refusal kept from running. */
  #tellRest(): void {
    const moment = this.#moment
    for (; this.#seek() !== "no"; this.#next++) {
      const by = this.#concerned.hooks[this.#next]!
      const at = moment.at(by)
      moment.emit(by, at, { skipped: skipOf(moment.op, by, at) ?? "refused" })
    }
  }
}

function start(moment: Moment, by: CompiledHook, at: AtLevel, broken: boolean): Started {
  const { core, op, event } = moment
  const began = core.ports.now()
  const skipped = skipOf(op, by, at)
  if (skipped) return { by, at, began, skipped }
  if (at.refuses) moment.seen.push({ by, event })
  if (broken) return { by, at, began, result: { failed: failed("condition") } }
  if (core.listened) core.publish(op, "hook.started", moment.about(by))
  if (by.rule) return { by, at, began, result: ruleResult(by, event) }
  const started: Started = { by, at, began }
  started.pending = invoke(core, op, by, at.clamped.effect, event).then((result) => {
    started.result = result
  })
  return started
}
