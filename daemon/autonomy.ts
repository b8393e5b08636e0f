import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { isLevel, LEVEL_NAMES, type Level, lowest, rank } from "../effects/levels.ts"
import type { SourceChoice } from "../exec/sources.ts"
import { nearest } from "../policy/nearest.ts"
import { SETTINGS, type Setting } from "../policy/settings.ts"
import type { Caller } from "./callers.ts"
import { Problem } from "./problem.ts"
import type { Standing } from "./standing.ts"

/** The header in which a call says settings of its own. */
export const SETTINGS_HEADER = "x-detent-settings"

/** What one call says of its own settings. */
export interface CallSettings {
  readonly autonomy?: Level
  /** what of it does not count, and why: one sentence each */
  readonly notices: readonly string[]
}

const NONE: CallSettings = Object.freeze({ notices: [] })

/**
 * Reads the header of call-scoped settings. A daemon-scoped one is ignored and told; an unknown one is an error.
 *
 * @throws Problem `bad-request`
 */
export function callSettings(header: string | undefined): CallSettings {
  if (header === undefined) return NONE
  const said = parsed(header)
  const notices: string[] = []
  let autonomy: Level | undefined
  for (const [path, value] of Object.entries(said)) {
    const setting: Setting | undefined = Object.hasOwn(SETTINGS, path)
      ? SETTINGS[path as keyof typeof SETTINGS]
      : undefined
    if (!setting) throw unknown(path)
    if (setting.scope === "daemon") notices.push(`\`${path}\` is the daemon's own and is not taken from a call`)
    else if (path === "hooks.autonomy") autonomy = levelOf(path, value)
    else notices.push(`\`${path}\` is not taken from the header: lines of a script stand in the body of \`/v1/exec\``)
  }
  return { notices, ...(autonomy === undefined ? {} : { autonomy }) }
}

function parsed(header: string): JsonObject {
  try {
    const said = parseJson(header)
    if (isObject(said)) return said
  } catch {
    // It is said below, in the same words.
  }
  throw new Problem("bad-request", "the header `X-Detent-Settings` is no JSON object")
}

function unknown(path: string): Problem {
  const near = nearest(path, Object.keys(SETTINGS))
  return new Problem("bad-request", `unknown setting \`${path}\` in \`X-Detent-Settings\``, {
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  })
}

function levelOf(path: string, value: unknown): Level {
  if (isLevel(value)) return value
  throw new Problem("bad-request", `unknown level \`${String(value)}\` for \`${path}\``, {
    hint: `the levels are ${LEVEL_NAMES.join(", ")}`,
  })
}

/**
 * Whose lines inside a script are whose: a daemon's start flags are not its callers', and those of its policy need the
 * caller's level at `run`.
 */
export const sourcesFor = (autonomy: Level | undefined): Pick<SourceChoice, "own" | "caller"> => ({
  own: ["call"],
  ...(autonomy === undefined
    ? {}
    : { caller: { value: autonomy, origin: { layer: "call", source: "hooks.autonomy" } } }),
})

/** What is told of a caller's level where something lowered it. */
export interface Lowered {
  readonly autonomy: Level
  readonly requested: Level
  readonly clampedBy: string
}

/** The level that an operation is fired with, and what is told of it. */
export interface CallerLevel {
  /** absent: the policy's own */
  readonly autonomy?: Level
  readonly lowered?: Lowered
}

/** The caller's level: what it asks for, within what its token lets it ask for; the daemon's ceilings lower what comes of it. */
export function callerLevel(
  { policy, ceilings }: Standing,
  caller: Caller,
  asked: Level | undefined,
  event: JsonObject,
): CallerLevel {
  const requested = asked ?? policy.hooksAutonomy?.value ?? "run"
  const own = lowest(requested, caller.autonomy)
  const daemon = ceilings.lower(ceilings.base, event)
  const autonomy = lowest(own, daemon.level)
  const fired = asked === undefined && own === requested ? {} : { autonomy: own }
  if (rank(autonomy) >= rank(requested)) return fired
  const { id, origin } = daemon.source
  const byDaemon = id === undefined ? origin : `${id} in ${origin}`
  const clampedBy = rank(own) <= rank(daemon.level) ? `the token of ${caller.id}` : byDaemon
  return { ...fired, lowered: { autonomy, requested, clampedBy } }
}
