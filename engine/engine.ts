import { isObject, type JsonObject } from "../effects/json.ts"
import { isLevel, LEVEL_NAMES, type Level } from "../effects/levels.ts"
import { isTooDeep, MAX_DEPTH as MAX_NESTING } from "../effects/plain.ts"
import type { Frame, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { isPoint, POINT_NAMES, type Point, phasesOf, pointRow } from "../policy/points.ts"
import { type AbortSignalLike, type Hook, type Policy, type Sourced, showOrigin } from "../policy/policy.ts"
import { Around, type OperationFn } from "./around.ts"
import type { CompiledHook } from "./compile.ts"
import { DaemonCeilings, type Stop } from "./daemon.ts"
import { DeadlineWheel } from "./deadlines.ts"
import { decide, verdictOf } from "./decide.ts"
import { OperationError, refusedError } from "./errors.ts"
import { eventOf } from "./event.ts"
import { HookTable } from "./hooks.ts"
import { Observers } from "./observe.ts"
import { type Core, MAX_DEPTH, type Operation, tell } from "./operation.ts"
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

export interface FireOptions {
  /** who asks; `{id: "local"}` when absent */
  readonly caller?: JsonObject
  /** the highest level that the caller wants; else the policy's `hooks.autonomy` */
  readonly autonomy?: Level
  /** what an outside agent can carry: a level, or a level with the agent's name */
  readonly host?: Level | { readonly name: string; readonly max: Level }
  readonly signal?: AbortSignalLike
  readonly onFrame?: (frame: Frame) => void
  /** what this is part of, where several operations count as one run: the same object for each of them */
  readonly partOf?: object
  /** milliseconds for the whole operation; hooks get no more than what is left, and no retry starts after it */
  readonly timeoutMs?: number
}

/** Conducts hooks around operations. Does no I/O of its own: everything outside is a port. */
export interface Engine {
  /**
   * Runs the hooks of one moment.
   *
   * @throws RangeError on an unknown point, phase or level.
   */
  fire(on: string, phase: Phase, event: JsonObject, options?: FireOptions): Promise<Verdict>
  /**
   * Runs an operation with its hooks around it: before → operation → onSuccess | onError → suffix.
   *
   * @throws RangeError on an unknown point or level, TypeError on an event that is none; nothing has been sent then.
   */
  around(on: string, event: JsonObject, operation: OperationFn, options?: FireOptions): Promise<Verdict>
  /** Waits for observers, then ends what the actions keep running. */
  close(): Promise<void>
}

const LOCAL: JsonObject = Object.freeze({ id: "local" })

/** Makes an engine of a policy and its ports. */
export function createEngine(options: EngineOptions): Engine {
  const { policy, ports } = options
  const wheel = new DeadlineWheel(ports.now, ports.after)
  const hooks = new HookTable([...policy.hooks.filter((hook) => hook !== null), ...(options.hooks ?? [])])
  const daemon = new DaemonCeilings(policy, options.autonomyMax ?? [])
  const observers = new Observers(hooks.observers, options.onObserved)
  const standing = options.hooksAutonomy ?? policy.hooksAutonomy
  const callerStop = callerStops(standing)
  let seq = 0

  const operationOf = (on: string, given: FireOptions): Operation => ({
    on,
    caller: given.caller ?? LOCAL,
    callerStop: callerStop(given.autonomy),
    hostStop: hostStop(given.host),
    daemonStop: daemon.base,
    signal: given.signal,
    stack: [],
    frames: [],
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
    listened: observers.any || ports.publish !== undefined,
    publish(op, type, about) {
      if (op.quiet) return
      const { phase: _, ...rest } = about
      const happening: Happening = { ...rest, type, seq: ++seq }
      ports.publish?.(happening)
      observers.deliver(core, op, happening)
    },
    nested: (op, by, server, tool, args) => nestedCall(core, op, by, server, tool, args),
  }

  return {
    async fire(on, phase, event, given = {}) {
      known(on, phase, event)
      const op = operationOf(on, given)
      // A moment fired on its own may belong to an operation that was refused: nothing of it is retried.
      op.refused = phase === "onError" && isObject(event.error) && event.error.code === "refused"
      const moment = await decide(core, op, phase as FiredPhase, eventOf(on, phase, event, op.caller))
      return verdictOf(moment)
    },
    async around(on, event, operation, given = {}) {
      known(on, "before", event)
      // Of what is sent a hash is told, and that walks it whole: better here than after the operation has happened.
      if (isTooDeep(event.args)) throw new TypeError(`the arguments are nested more than ${MAX_NESTING} levels deep`)
      const op = operationOf(on, given)
      return new Around(core, op, event, operation).run(false)
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

type FiredPhase = Exclude<Phase, "observe">

function known(on: string, phase: Phase, event: unknown): asserts on is Point {
  if (!isPoint(on)) throw new RangeError(`unknown point \`${on}\`; the points are ${POINT_NAMES.join(", ")}`)
  if (phase === "prefix" || !Object.hasOwn(pointRow(on).phases, phase)) {
    const fired = phasesOf(on).filter((name) => name !== "prefix")
    throw new RangeError(`the point \`${on}\` does not fire \`${phase}\`; its phases are ${fired.join(", ")}`)
  }
  if (!isObject(event)) throw new TypeError("an event must be an object")
  if (on !== "call") return
  for (const name of ["server", "tool"]) {
    if (typeof event[name] !== "string") throw new TypeError(`an event of \`call\` needs \`${name}\`, a text`)
  }
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

const NO_HOST: Stop = { level: "run", source: { by: "host", origin: "host" } }

function hostStop(host: FireOptions["host"]): Stop {
  if (host === undefined) return NO_HOST
  const [name, max] = typeof host === "object" ? [host.name, host.max] : ["host", host]
  return { level: level(max, "host"), source: { by: "host", origin: name } }
}
