import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { ClientHooks, HookTelemetry } from "../dialects/conduit/types.ts"
import { isObject } from "../effects/json.ts"
import { isLevel, LEVEL_NAMES, type Level } from "../effects/levels.ts"
import { createEngine as createPureEngine, type Engine } from "../engine/engine.ts"
import { unknownOption } from "../engine/given.ts"
import type { ActionRunners, Happening, Ports } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { HostHook } from "../policy/host.ts"
import { registerRegexEngine } from "../policy/match/regex.ts"
import { nearest } from "../policy/nearest.ts"
import type { Hook, Policy, Sourced } from "../policy/policy.ts"
import type { CassetteOptions } from "../prompts/tape.ts"
import { workingFolder } from "../settings/folders.ts"
import { fitsOf, type KnownTool } from "./fits.ts"
import { lazyActions } from "./lazy.ts"
import { nodePorts, ruleSteps } from "./ports.ts"

export interface NodeEngineOptions {
  readonly policy: Policy
  /** as start flags: `autonomy.max` combines with the policy's by minimum, `hooks.autonomy` takes its place */
  readonly settings?: { readonly "autonomy.max"?: Level; readonly "hooks.autonomy"?: Level }
  /** host functions after the policy's hooks: a list of hooks, in order, or the functions of each event */
  readonly hooks?: readonly HostHook[] | ClientHooks
  /** each run of a function of `hooks` by event, once it is over */
  readonly onTelemetry?: (event: HookTelemetry) => void
  /** by `server/tool`: an applied input that does not fit its schema, or whose schema cannot be read, is `bad-output` */
  readonly tools?: Readonly<Record<string, KnownTool>>
  /** whether an input fits what a tool is known to take: for tools that are not in `tools` */
  readonly fits?: NonNullable<Ports["fits"]>
  /** whether a result's structured part fits what its tool promises; absent: it promises nothing */
  readonly fitsResult?: NonNullable<Ports["fitsResult"]>
  /** a tool's annotations as its server gives them, for calls whose event does not say them */
  readonly annotations?: NonNullable<Ports["annotations"]>
  /** puts questions to a person; absent: they stay open */
  readonly ask?: Ports["ask"]
  /** sends a tool call that a hook makes; absent: none can be sent */
  readonly call?: Ports["call"]
  /** why a server's session does not live; undefined: it does. Absent: hooks of servers' manifests fail */
  readonly down?: NonNullable<Ports["down"]>
  /** everything that happens, as `observe` hooks get it */
  readonly publish?: (happening: Happening) => void
  /** the number of the next happening; absent: the engine counts its own */
  readonly seq?: () => number
  /** frames of `observe` hooks, and the news of events that were not observed */
  readonly onObserved?: (frame: Frame) => void
  /** recordings that prompts are answered from, or that are made of what models answer */
  readonly cassettes?: CassetteOptions
  /** what hooks get an allow-list of; default: the process's environment */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** where relative folders of hooks without a file start; default: the process's working folder */
  readonly cwd?: string
  /** stands between the hooks and the real actions: what a golden case answers in their place */
  readonly actions?: (real: ActionRunners) => ActionRunners
}

/**
 * An engine with the real actions, clock and processes.
 *
 * @throws TypeError on an unknown option, RangeError on an unknown setting or level, PolicyError on a host hook that is none.
 */
export async function createEngine(options: NodeEngineOptions): Promise<Engine> {
  checkOptions(options)
  if (options.hooks) await regexEngine()
  return engineOf(options, await hooksOf(options))
}

const regexEngine = async (): Promise<void> => registerRegexEngine((await import("../policy/match/re2.ts")).re2)

async function hooksOf(options: NodeEngineOptions): Promise<readonly Hook[]> {
  const { hooks, onTelemetry } = options
  if (isObject(hooks)) {
    const { clientHooks } = await import("./client-hooks.ts")
    return clientHooks(hooks, { onTelemetry, ...(await fitsPort(options)) })
  }
  if (onTelemetry) throw new TypeError("`onTelemetry` tells of functions by event, and `hooks` has none")
  return hooks ? (await import("../policy/host.ts")).hostHooks(hooks as readonly HostHook[]) : []
}

/** An engine whose host functions are hooks already. */
export async function engineOf(
  options: Omit<NodeEngineOptions, "hooks" | "onTelemetry">,
  hooks: readonly Hook[],
): Promise<Engine> {
  const { policy, ask, call, publish, onObserved, cassettes, env = process.env, cwd } = options
  // The regex engine takes longer to load than everything else together, so only a policy that needs it pays for it.
  if (policy.needsRegex) await regexEngine()
  const { autonomyMax, hooksAutonomy } = readSettings(options.settings ?? {})
  const { model } = policy
  const real = lazyActions({
    rule: ruleSteps(),
    env,
    model,
    cwd: resolve(cwd ?? workingFolder()),
    ...(cassettes ? { cassettes } : {}),
  })
  const actions = options.actions?.(real) ?? real
  const ports: Ports = {
    ...nodePorts,
    actions,
    ...(ask ? { ask } : {}),
    ...(call ? { call } : {}),
    ...(publish ? { publish } : {}),
    ...(options.seq ? { seq: options.seq } : {}),
    ...(options.fitsResult ? { fitsResult: options.fitsResult } : {}),
    ...(options.down ? { down: options.down } : {}),
    ...(options.annotations ? { annotations: options.annotations } : {}),
    ...(await fitsPort(options)),
  }
  const engine = createPureEngine({
    policy,
    ports,
    autonomyMax,
    hooks,
    ...(hooksAutonomy ? { hooksAutonomy } : {}),
    ...(onObserved ? { onObserved } : {}),
  })
  return engine
}

export interface LoadPolicyOptions {
  /** where the project's policy is looked for, upward; default: the process's working folder */
  readonly cwd?: string
  /** where DETENT_* and XDG_* variables are read; default: the process's environment */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * The policy in force: the system's, the user's, the project's (or the named file in its place) and the environment's,
 * put together. `notices` says, one sentence each, what is not in force or is lowered, and why.
 *
 * @param file a policy, by its path or `file:` URL, that stands in for the project's own and is trusted, since someone
 *   named it
 * @throws PolicyError with every finding of every source.
 */
export async function loadPolicy(
  file?: string | URL,
  { cwd = workingFolder(), env = process.env }: LoadPolicyOptions = {},
): Promise<Policy & { readonly notices: readonly string[] }> {
  const { loadPolicy: load } = await import("../settings/load.ts")
  const named = file instanceof URL ? fileURLToPath(file) : file
  const { policy, notices } = await load({ cwd: resolve(cwd), env, ...(named === undefined ? {} : { policy: named }) })
  return { ...policy, notices }
}

const OPTIONS = Object.freeze({
  policy: true,
  settings: true,
  hooks: true,
  onTelemetry: true,
  tools: true,
  fits: true,
  fitsResult: true,
  annotations: true,
  down: true,
  ask: true,
  call: true,
  publish: true,
  seq: true,
  onObserved: true,
  cassettes: true,
  env: true,
  cwd: true,
  actions: true,
} as const satisfies Record<keyof NodeEngineOptions, true>)

/** A misspelt option would count as absent: hooks that nobody runs, a ceiling that nobody heeds. */
function checkOptions(options: NodeEngineOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(unknownOption(name, Object.keys(OPTIONS)))
  }
  if (!isObject(options.policy) || !Array.isArray(options.policy.hooks)) {
    throw new TypeError("an engine needs a `policy`, as `parsePolicy` and `loadPolicy` make them")
  }
}

const SETTINGS = ["autonomy.max", "hooks.autonomy"] as const

function readSettings(settings: Readonly<Record<string, unknown>>) {
  for (const path of Object.keys(settings)) {
    if ((SETTINGS as readonly string[]).includes(path)) continue
    const near = nearest(path, SETTINGS)
    throw new RangeError(`unknown setting \`${path}\`${near ? `; did you mean \`${near}\`?` : ""}`)
  }
  const read = (path: (typeof SETTINGS)[number]): Sourced<Level> | undefined => {
    const value = settings[path]
    if (value === undefined) return undefined
    if (isLevel(value)) return { value, origin: { layer: "flags", source: "settings" } }
    throw new RangeError(`unknown level \`${String(value)}\` for ${path}; the levels are ${LEVEL_NAMES.join(", ")}`)
  }
  const max = read("autonomy.max")
  return { autonomyMax: max ? [max] : [], hooksAutonomy: read("hooks.autonomy") }
}

async function fitsPort({ tools, fits }: NodeEngineOptions): Promise<Pick<Ports, "fits">> {
  const listed = tools && (await fitsOf(tools))
  if (!listed) return fits ? { fits } : {}
  return { fits: (server, tool, input) => listed(server, tool, input) ?? fits?.(server, tool, input) }
}
