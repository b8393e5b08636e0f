import { isObject, type JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import { faultIn, isPlain, MAX_DEPTH } from "../effects/plain.ts"
import type { Frame } from "../frames/frames.ts"
import { checkEvent, fitsPoint } from "../policy/events.ts"
import { nearest } from "../policy/nearest.ts"
import type { Phase } from "../policy/phases.ts"
import { isPoint, POINT_NAMES, type Point, phasesOf, pointRow } from "../policy/points.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import type { Ports } from "./ports.ts"

export interface FireOptions {
  /** who asks: else the event's own `caller`, else `{id: "local"}` */
  readonly caller?: JsonObject
  /** the highest level that the caller wants; else the policy's `hooks.autonomy` */
  readonly autonomy?: Level
  /** what an outside agent can carry: a level, or, with the agent's name, one for all phases or one for each that it fires */
  readonly host?: Level | { readonly name: string; readonly max: Level | HostLevels }
  readonly signal?: AbortSignalLike
  readonly onFrame?: (frame: Frame) => void
  /** what this is part of, where several operations count as one run: the same object for each of them */
  readonly partOf?: object
  /** milliseconds for the whole operation; hooks get no more than what is left, and no retry starts after it */
  readonly timeoutMs?: number
  /** puts questions to a person, in place of the engine's own port; calls that it causes ask there too */
  readonly ask?: Ports["ask"]
}

/** By phase; hooks in a phase that has none are off. What follows a refusal is told as the refusal was. */
export type HostLevels = Readonly<Partial<Record<Phase, Level>>>

/** The phases that are fired; `observe` hooks come from what is published. */
export type FiredPhase = Exclude<Phase, "observe">

/**
 * Holds an event and its options against the tables, before any hook runs: a field or an option with a wrong name would
 * count as absent, and a guard that looks for it would let pass what it is there to stop.
 *
 * @throws RangeError on an unknown point or phase, TypeError on anything else that is wrong.
 */
export function checkGiven(on: string, phase: Phase, event: unknown, options: FireOptions): asserts on is Point {
  if (!isPoint(on)) throw new RangeError(`unknown point \`${on}\`; the points are ${POINT_NAMES.join(", ")}`)
  if (phase === "prefix" || !Object.hasOwn(pointRow(on).phases, phase)) {
    const fired = phasesOf(on).filter((name) => name !== "prefix")
    throw new RangeError(`the point \`${on}\` does not fire \`${phase}\`; its phases are ${fired.join(", ")}`)
  }
  if (!isPlain(event)) throw new TypeError("an event must be an object")
  agrees("on", event.on, on)
  agrees("phase", event.phase, phase)
  if (!fitsPoint(on, phase, event)) throw new TypeError(misfit(on, phase, event))
  checkOptions(options)
}

function misfit(on: Point, phase: Phase, event: JsonObject): string {
  const problems = checkEvent({ ...event, on, phase })
  if (problems.length > 0) return `the event does not fit: ${problems.join("; ")}`
  const where = briefly(`event${faultIn(event) ?? ""}`)
  return `\`${where}\` is no JSON value, or is nested more than ${MAX_DEPTH} levels deep`
}

function agrees(name: string, said: unknown, fired: string): void {
  if (said === undefined || said === fired) return
  throw new TypeError(`the event says \`${name}: ${String(said)}\`, and is fired as \`${fired}\``)
}

const OPTIONS = Object.freeze({
  caller: true,
  autonomy: true,
  host: true,
  signal: true,
  onFrame: true,
  partOf: true,
  timeoutMs: true,
  ask: true,
} as const satisfies Record<keyof FireOptions, true>)

function checkOptions(options: FireOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(unknownOption(name, Object.keys(OPTIONS)))
  }
  const { caller, timeoutMs } = options
  if (caller !== undefined) checkCaller(caller)
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new RangeError(`the option \`timeoutMs\` must be a number of milliseconds above 0, not \`${timeoutMs}\``)
  }
}

const briefly = (path: string): string => (path.length > 60 ? `${path.slice(0, 60)}…` : path)

/** What is said of an option that is none. */
export function unknownOption(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `unknown option \`${name}\`; ${near === undefined ? `known are ${known.join(", ")}` : `did you mean \`${near}\`?`}`
}

function checkCaller(caller: unknown): void {
  if (!isObject(caller) || typeof caller.id !== "string" || caller.id === "") {
    throw new TypeError("the caller needs an `id`, a text")
  }
  if (caller.scopes !== undefined && !Array.isArray(caller.scopes)) {
    throw new TypeError("the caller's `scopes` must be a list of texts")
  }
  const fault = faultIn(caller)
  if (fault !== undefined) throw new TypeError(`\`${briefly(`caller${fault}`)}\` is no JSON value`)
}

/** Who asks: the option, else what the event says; undefined where neither does. */
export const callerIn = (event: JsonObject, { caller }: FireOptions): JsonObject | undefined => {
  if (caller !== undefined || event.caller === undefined) return caller
  checkCaller(event.caller)
  return event.caller as JsonObject
}
