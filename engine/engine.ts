import { isObject, type JsonObject } from "../effects/json.ts"
import { isLevel, LEVEL_NAMES, type Level } from "../effects/levels.ts"
import type { Frame, Verdict } from "../frames/frames.ts"
import type { HappeningType } from "../policy/happenings.ts"
import type { Phase } from "../policy/phases.ts"
import { type Hook, type Policy, type Sourced, showOrigin } from "../policy/policy.ts"
import { Around, type OperationFn } from "./around.ts"
import type { CompiledHook } from "./compile.ts"
import { consentOf } from "./consent.ts"
import { DaemonCeilings, type Stop } from "./daemon.ts"
import { DeadlineWheel } from "./deadlines.ts"
import { decide, verdictOf } from "./decide.ts"
import { OperationError, refusedError } from "./errors.ts"
import { eventOf } from "./event.ts"
import { callerIn, checkGiven, type FiredPhase, type FireOptions } from "./given.ts"
import { HookTable } from "./hooks.ts"
import { Observers } from "./observe.ts"
import { type Core, type HostStop, MAX_DEPTH, type Operation, tell } from "./operation.ts"
import type { Happening, Ports } from "./ports.ts"

export interface EngineOptions {
  readonly policy: Policy
  readonly ports: Ports
  /** more that was said of `autonomy.max`: combined by minimum with the policy's */
  readonly autonomyMax?: readonly Sourced<Level>[]
  /** takes the place of the policy's `hooks.autonomy` */
  readonly hooksAutonomy?: Sourced<Level>
  /** host functions, after the policy's hooks */
  readonly hooks?: readonly Hook[]
  /** frames of `observe` hooks, and the news of events that were not observed */
  readonly onObserved?: (frame: Frame) => void
}

/** Conducts hooks around operations. Does no I/O of its own: everything outside is a port. */
export interface Engine {
  /**
   * Runs the hooks of one moment.
   *
   * @throws RangeError on an unknown point, phase or level, TypeError on an event or an option that is none.
   */
  fire(on: string, phase: Phase, event: JsonObject, options?: FireOptions): Promise<Verdict>
  /**
   * Runs an operation with its hooks around it: before → operation → onSuccess | onError → suffix.
   *
   * @throws RangeError and TypeError as `fire` does; nothing has been sent then.
   */
  around<Input = unknown>(
    on: string,
    event: JsonObject,
    operation: OperationFn<Input>,
    options?: FireOptions,
  ): Promise<Verdict>
  /** Publishes something that no point is about, for `observe` hooks and whoever listens. */
  publish(type: HappeningType, about: JsonObject, options?: Pick<FireOptions, "caller">): void
  /** Waits for observers, then ends what the actions keep running. */
  close(): Promise<void>
}

/** @throws TypeError where hooks that the policy names are not among its hooks: guards that nobody would miss. */
function checkRead({ servers }: Policy): void {
  const unread = Object.entries(servers).find(([, entry]) => entry.unread)
  if (unread) throw new TypeError(`the manifest of the server \`${unread[0]}\` has not been read; \`loadPolicy\` does`)
}

const LOCAL: JsonObject = Object.freeze({ id: "local" })

/** Makes an engine of a policy and its ports. */
export function createEngine(options: EngineOptions): Engine {
  const { policy, ports } = options
  checkRead(policy)
  const wheel = new DeadlineWheel(ports.now, ports.after)
  const hooks = new HookTable([...policy.hooks.filter((hook) => hook !== null), ...(options.hooks ?? [])])
  const daemon = new DaemonCeilings(policy, options.autonomyMax ?? [])
  const observers = new Observers(hooks.observers, options.onObserved)
  const standing = options.hooksAutonomy ?? policy.hooksAutonomy
  const callerStop = callerStops(standing)
  let seq = 0

  const operationOf = (on: string, event: JsonObject, given: FireOptions): Operation => ({
    on,
    caller: callerIn(event, given) ?? LOCAL,
    callerStop: callerStop(given.autonomy),
    hostStop: hostStop(given.host),
    daemonStop: daemon.base,
    signal: given.signal,
    stack: [],
    frames: [],
    ask: given.ask ?? ports.ask,
    onFrame: given.onFrame,
    deadline: given.timeoutMs === undefined ? undefined : ports.now() + given.timeoutMs,
    retried: [],
    refused: false,
    root: given.partOf ?? {},
    quiet: false,
  })

  const core: Core = {
    ports,
    hooks,
    daemon,
    wheel,
    consent: consentOf(policy),
    listened: observers.any || ports.publish !== undefined,
    publish(op, type, about) {
      if (op.quiet) return
      const { phase: _, ...rest } = about
      const happening: Happening = { ...rest, type, seq: ports.seq?.() ?? ++seq }
      ports.publish?.(happening)
      observers.deliver(core, op, happening)
    },
    nested: (op, by, server, tool, args) => nestedCall(core, op, by, server, tool, args),
  }

  return {
    async fire(on, phase, event, given = {}) {
      checkGiven(on, phase, event, given)
      const op = operationOf(on, event, given)
      // A moment fired on its own may belong to an operation that was refused: nothing of it is retried.
      op.refused = phase === "onError" && isObject(event.error) && event.error.code === "refused"
      const moment = await decide(core, op, phase as FiredPhase, eventOf(on, phase, event, op.caller))
      return verdictOf(moment)
    },
    async around(on, event, operation, given = {}) {
      checkGiven(on, "before", event, given)
      if (typeof operation !== "function") throw new TypeError("the operation must be a function")
      const op = operationOf(on, event, given)
      // A promise that is returned as it is takes two turns more than one that is awaited.
      return await new Around(core, op, event, operation as OperationFn).run(false)
    },
    publish(type, about, given = {}) {
      core.publish(operationOf(type, about, given), type, about)
    },
    async close() {
      await observers.settled()
      await Promise.all(Object.values(ports.actions).map((runner) => runner?.close?.()))
    },
  }
}

/** A call made by a hook passes the gate itself, under the ceilings of the operation that caused it. */
async function nestedCall(core: Core, op: Operation, by: CompiledHook, server: string, tool: string, args: JsonObject) {
  const stack = [...op.stack, by]
  if (stack.length > MAX_DEPTH) {
    const reason = `calls made by hooks nest deeper than ${MAX_DEPTH}`
    throw new OperationError(refusedError({ hook: by.hook.id, reason }))
  }
  const inner: Operation = {
    ...op,
    on: "call",
    stack,
    frames: [],
    onFrame: (frame) => tell(op, frame),
    retried: [],
    refused: false,
  }
  const verdict = await new Around(core, inner, { server, tool, args }, sender(core.ports, server, tool)).run(true)
  if (verdict.error) throw new OperationError(verdict.error)
  return verdict.result
}

const sender =
  (ports: Ports, server: string, tool: string): OperationFn =>
  (input, { meta, signal }) => {
    const message = `no server \`${server}\` can be reached from here`
    if (!ports.call) throw new OperationError({ code: "unavailable", message })
    return ports.call(server, tool, input as JsonObject, meta, signal)
  }

function level(value: Level, what: string): Level {
  if (isLevel(value)) return value
  throw new RangeError(`unknown level \`${String(value)}\` for ${what}; the levels are ${LEVEL_NAMES.join(", ")}`)
}

/** The caller's part of the clamp for each thing it may say, made once. */
function callerStops(standing: Sourced<Level> | undefined): (asked: Level | undefined) => Stop {
  const stopOf = (value: Level, origin: string): Stop => ({
    level: level(value, "hooks.autonomy"),
    source: { by: "caller", origin: `hooks.autonomy (${origin})` },
  })
  const silent = stopOf(standing?.value ?? "run", standing ? showOrigin(standing.origin) : "default")
  const said = new Map(LEVEL_NAMES.map((name) => [name, stopOf(name, "call")]))
  return (asked) => (asked === undefined ? silent : (said.get(asked) ?? stopOf(asked, "call")))
}

const NO_HOST: HostStop = { level: "run", source: { by: "host", origin: "host" } }

function hostStop(host: FireOptions["host"]): HostStop {
  if (host === undefined) return NO_HOST
  const [name, max] = isObject(host) ? [host.name, host.max] : ["host", host]
  for (const one of isObject(max) ? Object.values(max) : [max]) level(one, "host")
  return { level: max, source: { by: "host", origin: name } }
}
