import { isObject, type JsonObject } from "../effects/json.ts"
import { isLevel, type Level } from "../effects/levels.ts"
import { buildHook, type HookText } from "./build.ts"
import type { CeilingSubject, HookSubject, PolicySubject } from "./check/subject.ts"
import { fileIn, type Path, pointerOf } from "./places.ts"
import type { CeilingEntry, Grant, Origin, Policy, ServerEntry, Sourced, SourceLine } from "./policy.ts"
import { SOURCE_PHASES } from "./policy.ts"
import type { ModelSettings } from "./prompt.ts"
import type { PromptFiles } from "./prompt-source.ts"
import { saidIn } from "./said.ts"

/** A file's value, what of it cannot be used, and how to say where a value was written. */
export interface Given {
  readonly root: JsonObject
  readonly bad: ReadonlySet<string>
  readonly base?: string
  readonly trusted: boolean
  /** of a server's manifest */
  readonly grant?: Grant
  origin(path: Path): Origin
}

/** The usable objects of a list; `null` and what the schema refused are left out. */
function entries(
  { root, bad }: Given,
  list: "hooks" | "ceilings",
): { readonly entry: JsonObject; readonly index: number; readonly path: Path }[] {
  const items = root[list]
  if (!Array.isArray(items) || bad.has(`/${list}`)) return []
  return items.flatMap((entry: unknown, index) => {
    const path = [list, index]
    return isObject(entry) && !bad.has(pointerOf(path)) ? [{ entry, index, path }] : []
  })
}

export const hooksOf = (given: Given): HookSubject[] =>
  entries(given, "hooks").map(({ entry, index, path }) => {
    const hook = buildHook(entry as HookText, index, given.origin(path), given.base)
    return { text: entry as HookText, hook: given.grant ? { ...hook, grant: given.grant } : hook, path }
  })

/** The servers of a file that can be used. */
export const serversIn = ({ root, bad }: Given): readonly (readonly [name: string, entry: ServerEntry])[] =>
  isObject(root.servers) && !bad.has("/servers") ? (Object.entries(root.servers) as [string, ServerEntry][]) : []

const ceilingsOf = (given: Given): (CeilingSubject & { readonly entry: JsonObject })[] =>
  entries(given, "ceilings").map(({ entry, index, path }) => ({
    id: typeof entry.id === "string" ? entry.id : `ceilings[${index}]`,
    ...(entry.if !== undefined && { if: entry.if }),
    max: entry.max as Level,
    path,
    entry,
  }))

/** What the checks look at. */
export const subjectOf = (given: Given, promptFiles: PromptFiles | undefined): PolicySubject => ({
  hooks: hooksOf(given),
  ceilings: ceilingsOf(given),
  autonomyMax: isLevel(given.root["autonomy.max"]) ? given.root["autonomy.max"] : "run",
  servers: isObject(given.root.servers) ? Object.keys(given.root.servers) : [],
  grants: serversIn(given).flatMap(([name, { grant }]) =>
    grant?.on === undefined ? [] : [{ on: grant.on, path: ["servers", name, "grant", "on"] }],
  ),
  trusted: given.trusted,
  ...(promptFiles && { promptFiles }),
})

const level = (given: Given, key: string): Sourced<Level> | undefined =>
  isLevel(given.root[key]) ? { value: given.root[key], origin: given.origin([key]) } : undefined

type LineText = string | { readonly file: string } | null

/** `script.<phase>`: one entry is a list of one. */
function scriptOf(given: Given): Policy["script"] {
  const phases = SOURCE_PHASES.flatMap((phase) => {
    const key = `script.${phase}`
    const value = given.root[key] as LineText | readonly LineText[] | undefined
    if (value === undefined) return []
    const line = (text: LineText, path: Path): SourceLine | null => {
      if (text === null) return null
      const origin = given.origin(path)
      return typeof text === "string"
        ? { value: text, origin }
        : { value: text.file, file: fileIn(given.base, text.file), origin }
    }
    const lines = Array.isArray(value)
      ? value.map((text: LineText, index) => line(text, [key, index]))
      : [line(value as LineText, [key])]
    return [[phase, lines] as const]
  })
  return Object.fromEntries(phases)
}

/** The servers, each in the folder of the file that declares it, or in one that is named from there. */
function serversOf({ root, base }: Given): Policy["servers"] {
  const servers = (root.servers ?? {}) as Readonly<Record<string, ServerEntry>>
  if (base === undefined) return servers
  return Object.fromEntries(
    Object.entries(servers).map(([name, { manifest, ...entry }]) => [
      name,
      { ...entry, cwd: fileIn(base, entry.cwd ?? "."), ...(manifest && { manifest: fileIn(base, manifest) }) },
    ]),
  )
}

/** `model: {…}` and `model.<key>` are one object. */
function modelOf({ root }: Given): ModelSettings {
  const dotted = Object.entries(root).flatMap(([key, value]) =>
    key.startsWith("model.") ? [[key.slice(6), value] as const] : [],
  )
  return { ...(isObject(root.model) ? root.model : {}), ...Object.fromEntries(dotted) }
}

/** The policy of a file that has passed its checks; `null` entries of `hooks` stay where they are. */
export function policyOf(given: Given): Omit<Policy, "needsRegex" | "warnings"> {
  const { root } = given
  const max = level(given, "autonomy.max")
  const autonomy = level(given, "hooks.autonomy")
  const hooks = new Map(hooksOf(given).map(({ hook, path }) => [path[1], hook]))
  const listed: readonly unknown[] = Array.isArray(root.hooks) ? root.hooks : []
  const ceilings = ceilingsOf(given).map(
    ({ entry, path }) => ({ ...entry, origin: given.origin(path) }) as CeilingEntry,
  )
  return {
    version: 1,
    autonomyMax: max ? [max] : [],
    ...(autonomy && { hooksAutonomy: autonomy }),
    ceilings,
    hooks: listed.map((entry, index) => (entry === null ? null : hooks.get(index)!)),
    ...(Array.isArray(root.hooks) && listed.length === 0 && { noHooks: true as const }),
    script: scriptOf(given),
    servers: serversOf(given),
    model: modelOf(given),
    ...saidIn(root, given.origin),
  }
}
