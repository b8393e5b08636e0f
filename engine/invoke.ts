import { copyJson, type JsonObject, snapshot } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import { isPlain } from "../effects/plain.ts"
import { failed } from "../frames/failures.ts"
import type { AbortSignalLike, Action, Grant, HostContext } from "../policy/policy.ts"
import type { CompiledHook } from "./compile.ts"
import { ruleResult } from "./moment.ts"
import type { Core, Operation } from "./operation.ts"
import type { ActionContext, ActionResult, ActionRunner } from "./ports.ts"

/** Milliseconds that an interrupted action has to end what it started, such as a tree of processes. */
const ENDING_MS = 1000

/**
 * Runs one action to its end or to its deadline, whichever comes first; what it answers later is ignored. Nothing goes on
 * before an interrupted action has ended what it started, or had its time to; a host function starts nothing of ours.
 *
 * The deadline is an entry of the one wheel, and the abort signal is made only when the action reads it.
 */
export function invoke(
  core: Core,
  op: Operation,
  by: CompiledHook,
  effective: Level,
  event: JsonObject,
  action: Action = by.hook.action,
): Promise<ActionResult> {
  const runner = core.ports.actions[action.kind] as ActionRunner | undefined
  const ownRule = action === by.hook.action && by.rule !== undefined
  if (action.kind !== "function" && !runner && !ownRule) {
    return Promise.resolve({ failed: failed("unavailable", { detail: `no \`${action.kind}\` action` }) })
  }
  const timeoutMs = remaining(core, op, by.hook.timeoutMs)
  // `suffix` is a finally: what cancels the operation does not cancel it.
  const signal = by.hook.phase === "suffix" ? undefined : op.signal
  return new Promise((resolve) => {
    const abort = new LazyAbort(core)
    let interrupted: ActionResult | undefined
    const finish = (result: ActionResult) => {
      deadline.cancel()
      signal?.removeEventListener("abort", cancel)
      resolve(interrupted ?? result)
    }
    const end = (detail?: string) => {
      if (interrupted) return
      interrupted = { failed: failed("timeout", detail === undefined ? {} : { detail }) }
      deadline.cancel()
      abort.abort()
      if (action.kind === "function") finish(interrupted)
      else deadline = core.wheel.add(ENDING_MS, () => finish(interrupted!))
    }
    const cancel = () => end("the operation was cancelled")
    let deadline = core.wheel.add(timeoutMs, end)
    if (signal?.aborted) return finish({ failed: failed("timeout", { detail: "the operation was cancelled" }) })
    signal?.addEventListener("abort", cancel)
    const context: ActionContext = {
      hook: by.hook,
      effective,
      timeoutMs,
      operation: op.root,
      get signal() {
        return abort.signal
      },
      call: (server, tool, args) => core.nested(op, by, server, tool, args),
    }
    const running = async (): Promise<ActionResult> => {
      const down = by.hook.grant && (await outage(core, by.hook.grant))
      // Nothing is begun for a hook whose time is up.
      if (down ?? interrupted) return (down ?? interrupted)!
      return ownRule ? ruleResult(by, event) : run(action, runner, event, context)
    }
    running().then(finish, () => finish({ failed: failed("throw") }))
  })
}

/** What comes with a server can run while its session lives; undefined: it does. */
async function outage({ ports }: Core, { server }: Grant): Promise<ActionResult | undefined> {
  const why = ports.down ? await ports.down(server) : "no server can be reached from here"
  return why === undefined ? undefined : { failed: failed("unavailable", { detail: why }) }
}

async function run(
  action: Action,
  runner: ActionRunner | undefined,
  event: JsonObject,
  context: ActionContext,
): Promise<ActionResult> {
  if (action.kind !== "function") return runner!.run(action as never, event, context)
  const notes: string[] = []
  const told: HostContext = {
    get signal() {
      return context.signal
    },
    effective: context.effective,
    operation: context.operation,
    call: context.call,
    note: (text) => void notes.push(text),
  }
  // Copies both ways: what a host function does to its event, and later to its answer, is its own affair.
  const output = snapshot(await action.fn(copyJson(event), told))
  return notes.length > 0 ? { output, notes } : { output }
}

const remaining = (core: Core, op: Operation, timeoutMs: number): number =>
  op.deadline === undefined ? timeoutMs : Math.max(1, Math.min(timeoutMs, op.deadline - core.ports.now()))

class LazyAbort {
  readonly #core: Core
  #controller: { readonly signal: AbortSignalLike; abort(reason?: unknown): void } | undefined
  #aborted = false

  constructor(core: Core) {
    this.#core = core
  }

  get signal(): AbortSignalLike {
    if (!this.#controller) {
      this.#controller = this.#core.ports.abort()
      if (this.#aborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  abort(): void {
    this.#aborted = true
    this.#controller?.abort()
  }
}

/** The plain object that an action answered, `{}` for no opinion, undefined for anything else: a Map is no opinion of any kind. */
export const outputOf = (result: { readonly output: unknown }): JsonObject | undefined => {
  if (result.output === undefined) return {}
  return isPlain(result.output) ? result.output : undefined
}
