import { type Ceiling, type Clamped, clamp, type Dropped } from "../clamp/clamp.ts"
import { type HostMoment, hostMoment } from "../dialects/hosts.ts"
import type { JsonObject } from "../effects/json.ts"
import { KEY_NAMES } from "../effects/keys.ts"
import { highest, isLevel, LEVEL_NAMES, type Level, lowest, rank } from "../effects/levels.ts"
import { CompiledHook } from "../engine/compile.ts"
import { DaemonCeilings, type Stop, stopFor } from "../engine/daemon.ts"
import { eventOf } from "../engine/event.ts"
import type { CeilingSource } from "../frames/frames.ts"
import type { ActionKind } from "../policy/actions.ts"
import { registerRe2 } from "../policy/match/re2.ts"
import { isPhase, PHASES, type Phase, showMoment } from "../policy/phases.ts"
import { isPoint, pointRow } from "../policy/points.ts"
import { type Hook, type Policy, type Sourced, showOrigin, showScope } from "../policy/policy.ts"

/** For whom, and for what, a policy is explained. */
export interface ExplainOptions {
  /** who asks; `{id: "local"}` when absent */
  readonly caller?: JsonObject
  /** the highest level that the caller wants; else the policy's `hooks.autonomy` */
  readonly autonomy?: Level
  /** more that is said of `autonomy.max`: combined by minimum with the policy's */
  readonly autonomyMax?: Level
  /** what an outside agent can carry: an agent by its name, moment by moment, or one level for all */
  readonly host?: Level | { readonly name: string; readonly max: Level } | { readonly agent: string }
  /** a moment, with its `on` and `phase`: conditional ceilings are held against it, and hooks say whether they match */
  readonly event?: JsonObject
}

/** What can decide a hook's level, in the order in which it is told. */
export const DECIDERS = Object.freeze(["effect", "phase", "caller", "floor", "daemon", "host"] as const)
export type Decider = (typeof DECIDERS)[number]

/** A ceiling that may lower a hook further, depending on the event. */
export interface Conditional {
  readonly id: string
  readonly max: Level
  readonly reason?: string
  readonly origin: string
}

/** One hook: where it stands on the dial, and why. */
export interface ExplainRow {
  readonly hook: string
  readonly on: string
  readonly phase: Phase
  readonly action: ActionKind
  readonly enabled: boolean
  /** the hook's own level */
  readonly effect: Level
  /** `caller` is what it asked for; the floor lifts it and nothing else */
  readonly ceilings: {
    readonly phase: Level
    readonly caller: Level
    readonly floor: Level
    readonly daemon: Level
    readonly host: Level
  }
  /** the level in force */
  readonly effective: Level
  /** what holds the hook at that level: its own effect, or the ceilings that are as low */
  readonly decidedBy: readonly Decider[]
  /** the setting, entry or table behind every ceiling below the hook's own effect */
  readonly sources: readonly CeilingSource[]
  readonly origin: string
  /** for an agent: what it makes of this hook; absent where it never fires the hook's moment */
  readonly host?: HostMoment
  /** of a hook that a server's manifest declares: the tools outside of which it never fires */
  readonly within?: string
  /** the keys of an output that would be dropped here, and by what */
  readonly drops: readonly Dropped[]
  /** without an event: ceilings with a condition that would lower this hook where they match */
  readonly conditional?: readonly Conditional[]
  /** with an event: whether the hook runs for it; a condition that cannot be evaluated counts as a match */
  readonly matches?: boolean
}

/**
 * Explains at which level every hook of a policy is in force, and what decides it.
 *
 * @throws RangeError on an unknown level.
 */
export function explain(policy: Policy, options: ExplainOptions = {}): ExplainRow[] {
  // A policy that comes compiled from a cache has not been parsed here, and parsing is what registers the engine.
  if (policy.needsRegex) registerRe2()
  const stops = stopsFor(policy, options)
  const event = options.event && eventFor(options.event, options.caller)
  const hooks = policy.hooks.filter((hook) => hook !== null)
  return hooks.map((hook, order) => ({
    ...rowOf(hook, stops),
    ...(event ? { matches: matchesEvent(hook, order, event) } : { conditional: conditionalFor(hook, stops, policy) }),
  }))
}

interface Stops {
  readonly caller: Stop
  readonly daemon: Stop
  readonly host: (on: string, phase: Phase) => Stop & { readonly moment?: HostMoment }
}

function stopsFor(policy: Policy, { caller, autonomy, autonomyMax, host, event }: ExplainOptions): Stops {
  const asked: Sourced<Level> | undefined =
    autonomy === undefined ? policy.hooksAutonomy : { value: known(autonomy), origin: { layer: "call" } }
  const more: Sourced<Level>[] =
    autonomyMax === undefined ? [] : [{ value: known(autonomyMax), origin: { layer: "flags", source: "settings" } }]
  // Without an event only the ceilings that hold for every event are sure to hold.
  const ceilings = event ? policy.ceilings : policy.ceilings.filter((entry) => entry.if === undefined)
  const daemon = new DaemonCeilings({ ...policy, ceilings }, more)
  const origin = `hooks.autonomy (${asked ? showOrigin(asked.origin) : "default"})`
  return {
    caller: { level: asked?.value ?? "run", source: { by: "caller", origin } },
    daemon: daemon.lower(daemon.base, event ? eventFor(event, caller) : {}),
    host: hostStops(host),
  }
}

function hostStops(host: ExplainOptions["host"] = "run"): Stops["host"] {
  if (typeof host === "object" && "agent" in host) {
    return (on, phase) => {
      // An observer hears of what happened, whoever it happened to.
      if (phase === "observe") return { level: "run", source: { by: "host", origin: host.agent } }
      const moment = hostMoment(host.agent, on, phase)
      const source: CeilingSource = {
        by: "host",
        origin: moment ? host.agent : `${host.agent} never fires ${showMoment(on, phase)}`,
      }
      return { level: moment?.max ?? "off", source, ...(moment ? { moment } : {}) }
    }
  }
  const [name, max] = typeof host === "object" ? [host.name, host.max] : ["host", host]
  const stop: Stop = { level: known(max), source: { by: "host", origin: name } }
  return () => stop
}

function known(level: Level): Level {
  if (isLevel(level)) return level
  throw new RangeError(`unknown level \`${String(level)}\`; the levels are ${LEVEL_NAMES.join(", ")}`)
}

function eventFor(given: JsonObject, caller: JsonObject = { id: "local" }): JsonObject {
  const phase = isPhase(given.phase) ? given.phase : "before"
  return eventOf(String(given.on), phase, given, caller)
}

function rowOf(hook: Hook, { caller, daemon, host: hostAt }: Stops): Omit<ExplainRow, "matches" | "conditional"> {
  const { on, phase, effect, floor } = hook
  const { moment, ...host } = hostAt(on, phase)
  const within = stopFor(hook, daemon)
  const limit = isPoint(on) ? (pointRow(on).phases[phase]?.limit ?? "run") : "run"
  const levels = { caller: caller.level, daemon: within.level, host: host.level }
  const clamped = clamp({ phase, effect, floor, limit, ...levels })
  const ceilings = { phase: lowest(PHASES[phase].ceiling, limit), floor, ...levels }
  const sources: Record<Ceiling, CeilingSource> = {
    phase: { by: "phase", origin: `phase ${phase} of ${on}` },
    caller: caller.source,
    daemon: within.source,
    host: host.source,
  }
  return {
    hook: hook.id,
    on,
    phase,
    action: hook.action.kind,
    enabled: hook.enabled,
    effect,
    ceilings,
    effective: clamped.effect,
    decidedBy: decidersOf(clamped, effect, ceilings),
    sources: (clamped.clampedBy ?? []).map((by) => sources[by]),
    origin: hook.origins.map(showOrigin).join(", "),
    ...(moment ? { host: moment } : {}),
    ...(hook.grant && { within: showScope(hook.grant) }),
    drops: KEY_NAMES.flatMap((key) => clamped.drop(key) ?? []),
  }
}

function decidersOf({ effect: effective }: Clamped, own: Level, ceilings: ExplainRow["ceilings"]): Decider[] {
  if (rank(own) <= rank(effective)) return ["effect"]
  const { phase, caller, floor, daemon, host } = ceilings
  const lifted = rank(floor) > rank(caller)
  const said: Partial<Record<Decider, Level>> = {
    phase,
    [lifted ? "floor" : "caller"]: highest(caller, floor),
    daemon,
    host,
  }
  return DECIDERS.filter((by) => said[by] === effective)
}

function conditionalFor(hook: Hook, stops: Stops, { ceilings }: Policy): Conditional[] {
  const { effective } = rowOf(hook, stops)
  return ceilings.flatMap(({ id, if: condition, max, reason, origin }, index) =>
    condition === undefined || rank(max) >= rank(effective)
      ? []
      : [
          {
            id: id ?? `ceilings[${index}]`,
            max,
            ...(reason === undefined ? {} : { reason }),
            origin: showOrigin(origin),
          },
        ],
  )
}

function matchesEvent(hook: Hook, order: number, event: JsonObject): boolean {
  if (hook.on !== event.on || hook.phase !== event.phase) return false
  const { server, tool, kind } = event as Record<string, string | undefined>
  const compiled = new CompiledHook(hook, order)
  return compiled.concerns(server, tool, kind) && compiled.matches(event) !== "no"
}
