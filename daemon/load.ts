import { promptFiles } from "../policy/file.ts"
import type { Policy } from "../policy/policy.ts"
import { withPromptTexts } from "../policy/prompt-texts.ts"
import type { SETTINGS, SettingPath } from "../policy/settings.ts"
import type { Layered } from "../settings/layers.ts"
import { loadPolicy } from "../settings/load.ts"
import { filesNamedIn, placesOf } from "../settings/watched.ts"
import { type Signs, signsOf } from "./signs.ts"
import type { World } from "./world.ts"

/** A policy, and how the files that it was made of looked just before they were read. */
export interface Loaded extends Layered {
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
  const { policy, notices } = await loadPolicy({ ...where, flags, cache: false })
  const more = signsOf(filesNamedIn(policy, cwd))
  return { policy: withPromptTexts(policy, cwd, promptFiles), notices, signs: new Map([...own, ...more]) }
}

type NotHot = { [Path in SettingPath]: (typeof SETTINGS)[Path]["hot"] extends false ? Path : never }[SettingPath]

/** Where each setting that waits for a restart stands in a policy. */
const NOT_HOT = Object.freeze({
  "autonomy.max": "autonomyMax",
  "mcp.exec": "mcpExec",
} as const satisfies Record<NotHot, keyof Policy>)

/** A policy as it may be put into force while running: what is not hot stays as it was at the start, and that is said. */
export function held<Any extends Layered>({ policy, notices, ...rest }: Any, started: Policy) {
  const waiting = Object.entries(NOT_HOT).filter(([, key]) => said(policy[key]) !== said(started[key]))
  const kept = Object.fromEntries(
    Object.values(NOT_HOT).flatMap((key) => (started[key] === undefined ? [] : [[key, started[key]]])),
  )
  const { autonomyMax: _, mcpExec: __, ...hot } = policy
  return {
    ...rest,
    policy: { ...hot, ...kept } as Policy,
    notices: [...notices, ...waiting.map(([path]) => `\`${path}\` has changed, and waits for a restart`)],
  }
}

/** What was said, without where. */
const said = (value: Policy[keyof Policy]): string =>
  JSON.stringify(Array.isArray(value) ? value.map((one: { readonly value?: unknown }) => one.value) : (value ?? null))
