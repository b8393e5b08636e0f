import { isLevel, LEVEL_NAMES } from "../effects/levels.ts"
import { type Finding, PolicyError } from "../policy/findings.ts"
import { nearest } from "../policy/nearest.ts"
import type { Layer, Origin, Policy, SourceLine, SourcePhase } from "../policy/policy.ts"
import type { Scalar } from "../policy/said.ts"
import { settingProblem } from "../policy/setting-shapes.ts"
import type { GivenSetting } from "./given.ts"
import { NOTHING } from "./nothing.ts"
import { SETTINGS, type SettingPath } from "./registry.ts"

/**
 * The layer that settings outside any file make. Lines of a script, and what lists hold, are added to those
 * inherited from below.
 *
 * @throws PolicyError with every value that does not fit, named by its variable or flag.
 */
export function policyOfSettings(layer: Layer, given: readonly GivenSetting[]): Policy {
  const findings: Finding[] = []
  let policy: Policy = NOTHING
  for (const { path, values, source } of given) {
    const origin: Origin = { layer, source }
    const fit = PUT[SETTINGS[path].kind as keyof typeof PUT](policy, path, values, origin)
    if (typeof fit === "string")
      findings.push({ severity: "error", message: fit, ...hintFor(path, values), file: source })
    else policy = fit
  }
  if (findings.length > 0) throw new PolicyError(findings)
  return policy
}

function hintFor(path: SettingPath, values: readonly string[]): { hint?: string } {
  if (values.length > 1) return { hint: "give it one value" }
  if (SETTINGS[path].kind !== "level") return {}
  const near = nearest(values[0] ?? "", LEVEL_NAMES)
  return { hint: near === undefined ? `the levels are ${LEVEL_NAMES.join(", ")}` : `did you mean \`${near}\`?` }
}

/** Puts a value into a policy, or says why it does not fit. */
type Put = (policy: Policy, path: SettingPath, values: readonly string[], origin: Origin) => Policy | string

/** A value that is read from its text and held against the shape that files are held against. */
const scalar =
  (read: (text: string) => Scalar): Put =>
  (policy, path, values, origin) => {
    const value = read(values[0] ?? "")
    const problem = values.length > 1 ? "is said more than once" : settingProblem(path, value)
    if (problem !== undefined) return `\`${path}\` ${problem}`
    const said = { ...policy, values: { ...policy.values, [path]: { value, origin } } }
    if (!path.startsWith("model.")) return said
    return { ...said, model: { ...policy.model, [path.slice("model.".length)]: value } }
  }

const PUT = {
  level: (policy, path, values, origin) => {
    const [value, ...more] = values
    if (!isLevel(value) || more.length > 0) return `unknown level \`${values.join(", ")}\` for \`${path}\``
    const sourced = { value, origin }
    return path === "autonomy.max"
      ? { ...policy, autonomyMax: [...policy.autonomyMax, sourced] }
      : { ...policy, hooksAutonomy: sourced }
  },
  lines: (policy, path, values, origin) => {
    const phase = path.slice("script.".length) as SourcePhase
    const lines: (SourceLine | null)[] = [null, ...values.map((value) => ({ value, origin }))]
    return { ...policy, script: { ...policy.script, [phase]: lines } }
  },
  list: (policy, path, values, origin) => {
    const texts = values.flatMap((text) => text.split(",")).map((text) => text.trim())
    const problem = settingProblem(path, texts)
    if (problem !== undefined) return `\`${path}\` ${problem}`
    const list = [null, ...texts.map((value) => ({ value, origin }))]
    return { ...policy, lists: { ...policy.lists, [path]: list } }
  },
  text: scalar((text) => text),
  enum: scalar((text) => text),
  number: scalar((text) => (text.trim() === "" ? text : Number(text))),
  boolean: scalar((text) => (text === "true" ? true : text === "false" ? false : text)),
} satisfies Record<Exclude<(typeof SETTINGS)[SettingPath]["kind"], "structured">, Put>
