import { cut } from "../clamp/cut.ts"
import type { JsonObject } from "../effects/json.ts"
import { failed } from "../frames/failures.ts"
import type { Frame } from "../frames/frames.ts"
import { takesKind } from "../policy/happenings.ts"
import { type AtLevel, type CompiledHook, UNBOUND } from "./compile.ts"
import { type Draft, draftOf, tellDropped } from "./hook-frame.ts"
import { invoke, outputOf } from "./invoke.ts"
import { ruleResult } from "./moment.ts"
import type { Core, Operation } from "./operation.ts"
import type { ActionResult, Happening } from "./ports.ts"

/** How many observers run at once, and how many happenings wait for one; beyond that they are counted as lost. */
const AT_ONCE = 8
const WAITING = 1024

/**
 * Runs `observe` hooks from what is published: after the fact, at their own pace, honouring nothing.
 *
 * INVARIANT: what an observer causes is delivered to no observer (test/engine/observe.test.ts).
 */
export class Observers {
  readonly #hooks: readonly CompiledHook[]
  readonly #onFrame: ((frame: Frame) => void) | undefined
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #running = new Set<Promise<void>>()
  #lost = 0

  constructor(hooks: readonly CompiledHook[], onFrame: ((frame: Frame) => void) | undefined) {
    this.#hooks = hooks
    this.#onFrame = onFrame
  }

  get any(): boolean {
    return this.#hooks.length > 0
  }

  deliver(core: Core, cause: Operation, happening: Happening): void {
    const op: Operation = {
      ...cause,
      frames: [],
      quiet: true,
      signal: undefined,
      deadline: undefined,
      onFrame: undefined,
    }
    for (const by of this.#hooks) {
      if (!takesKind(by.hook.on, happening.type)) continue
      if (this.#waiting.length >= WAITING) this.#lost++
      else this.#waiting.push(() => this.#observe(core, op, by, happening))
    }
    this.#next()
  }

  /** Waits until everything that was delivered has been observed. */
  async settled(): Promise<void> {
    while (this.#running.size > 0 || this.#waiting.length > 0) await Promise.all(this.#running)
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const job = this.#waiting.shift()
      if (!job) break
      const running = job().finally(() => {
        this.#running.delete(running)
        this.#next()
      })
      this.#running.add(running)
    }
    if (this.#lost > 0 && this.#waiting.length < WAITING) this.#tellLost()
  }

  #tellLost(): void {
    const text = `${this.#lost} events were not observed: more than ${WAITING} were waiting`
    this.#lost = 0
    this.#onFrame?.({ type: "log", level: "warn", args: [text] })
  }

  async #observe(core: Core, op: Operation, by: CompiledHook, happening: Happening): Promise<void> {
    const event: JsonObject = { caller: op.caller, ...happening, on: happening.type, phase: "observe" }
    const match = concerns(by, event) ? by.matches(event) : "no"
    if (match === "no") return
    const at = by.at(UNBOUND)
    const frame = draftOf(op, by, at, happening.type, 0)
    if (by.hook.enabled) {
      const began = core.ports.now()
      const result = match === "failed" ? { failed: failed("condition") } : await answer(core, op, by, event)
      frame.durationMs = core.ports.now() - began
      tellResult(frame, at, result)
    } else frame.skipped = "disabled"
    this.#onFrame?.(frame)
  }
}

const concerns = (by: CompiledHook, event: JsonObject): boolean => {
  const { server, tool, kind } = event as Record<string, string | undefined>
  return by.concerns(server, tool, kind)
}

const answer = async (core: Core, op: Operation, by: CompiledHook, event: JsonObject): Promise<ActionResult> =>
  by.rule && !by.hook.grant ? ruleResult(by, event) : invoke(core, op, by, "off", event)

/** An observer's output is dropped whole, and the frame says so. */
function tellResult(frame: Draft, at: AtLevel, result: ActionResult): void {
  if ("skipped" in result) {
    frame.skipped = "no-model"
    frame.notes = [result.warning]
  } else if ("failed" in result) frame.failed = result.failed
  else {
    const raw = outputOf(result)
    if (raw === undefined) frame.failed = failed("bad-output")
    else tellDropped(frame, cut(raw, at.clamped, "observe").dropped)
  }
}
