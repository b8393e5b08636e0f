import { promptFiles } from "../policy/file.ts"
import type { Policy } from "../policy/policy.ts"
import { withPromptTexts } from "../policy/prompt-texts.ts"
import { SETTING_PATHS, SETTINGS, type SettingPath } from "../policy/settings.ts"
import type { Layered } from "../settings/layers.ts"
import { loadLayers } from "../settings/load-layers.ts"
import type { Reported } from "../settings/report/report.ts"
import { filesNamedIn, placesOf } from "../settings/watched.ts"
import { type Signs, signsOf } from "./signs.ts"
import type { World } from "./world.ts"

/** A policy, and how the files that it was made of looked just before they were read. */
export interface Loaded extends Layered, Reported {
  readonly policy: Policy
  readonly signs: Signs
}

/**
 * The policy that is written now, with all that it is made of: what changes in its files from here on is not in it. Never
 * from the cache, which does not know what stands in the files of prompts.
 *
 * @throws PolicyError with every finding.
 */
export async function loadWhole({ cwd, env, flags, policy: named }: World): Promise<Loaded> {
  const where = { cwd, env, ...(named === undefined ? {} : { policy: named }) }
  const own = signsOf(placesOf(where))
  const { policy, ...loaded } = loadLayers({ ...where, flags })
  const more = signsOf(filesNamedIn(policy, cwd))
  return { ...loaded, policy: withPromptTexts(policy, cwd, promptFiles), signs: new Map([...own, ...more]) }
}

/** A policy as it may be put into force while running: what is not hot stays as it was at the start, and that is said. */
export function held<Any extends Layered>({ policy, notices, ...rest }: Any, started: Policy) {
  const waiting = NOT_HOT.filter((path) => said(policy, path) !== said(started, path))
  return {
    ...rest,
    policy: {
      ...policy,
      autonomyMax: started.autonomyMax,
      values: heldIn(policy.values, started.values),
      lists: heldIn(policy.lists, started.lists),
    },
    notices: [...notices, ...waiting.map((path) => `\`${path}\` has changed, and waits for a restart`)],
  }
}

const NOT_HOT = SETTING_PATHS.filter((path) => !SETTINGS[path].hot)

function heldIn<T>(now: Readonly<Record<string, T>>, started: Readonly<Record<string, T>>): Record<string, T> {
  const isHeld = ([path]: readonly [string, T]): boolean => (NOT_HOT as readonly string[]).includes(path)
  const hot = Object.entries(now).filter((entry) => !isHeld(entry))
  return Object.fromEntries([...hot, ...Object.entries(started).filter(isHeld)])
}

/** What is said of a setting, without where. */
function said({ autonomyMax, values, lists }: Policy, path: SettingPath): string {
  const all = path === "autonomy.max" ? autonomyMax : (lists[path] ?? [values[path]])
  return JSON.stringify(all.map((one) => one?.value ?? null))
}
