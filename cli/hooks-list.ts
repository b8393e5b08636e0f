import { dirname } from "node:path"
import { explain } from "../govern/explain.ts"
import { parsePolicyBytes } from "../policy/file.ts"
import { type Phase, showMoment } from "../policy/phases.ts"
import { type Hook, type Policy, showOrigin, showScope } from "../policy/policy.ts"
import { sameness } from "../policy/sameness.ts"
import { switchedOff, switchNotice } from "../policy/switch.ts"
import { discover } from "../settings/discover.ts"
import type { Call } from "./command.ts"
import { document, formatOf } from "./format.ts"
import type { Out } from "./io.ts"
import { policyOf } from "./policy.ts"
import { oneLine } from "./text/plain.ts"
import { wrap } from "./text/wrap.ts"

/** One hook as the list tells it. */
interface Row {
  readonly id: string
  readonly on: string
  readonly phase: Phase
  readonly action: string
  readonly effect: string
  readonly effective: string
  readonly floor: string
  readonly failure: string
  readonly inForce: boolean
  /** why it is not in force, or what narrows or lowers it */
  readonly why?: string
  readonly origins: readonly string[]
}

/** Lists the hooks in their order, those too that are not in force here, with the reason. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const { policy } = await policyOf(call)
  const rows = [...rowsOf(policy), ...leftOut(call, policy)]
  const format = formatOf(call)
  if (format === "json") io.out.line(document(rows))
  else if (format === "ndjson") for (const row of rows) io.out.line(JSON.stringify(row))
  else if (rows.length === 0) io.out.line(io.out.paint("faint", "no hooks are in force here"))
  else io.out.line(rows.map((row) => rowText(row, io.out)).join("\n"))
  return 0
}

function rowsOf(policy: Policy): Row[] {
  const hooks = policy.hooks.filter((hook) => hook !== null)
  const levels = explain(policy)
  return hooks.map((hook, at) => {
    const { effective, sources } = levels[at]!
    const disabled = hook.enabled ? [] : [(hook.floor === "off" && switchNotice(policy)) || "`enabled: false`"]
    const by = sources.map(({ id, origin }) => (id === undefined ? origin : `\`${id}\` in ${origin}`))
    const scope = hook.grant
      ? [`comes with a server: fires on ${showScope(hook.grant)} alone, while its session lives`]
      : []
    const lowered = by.length > 0 ? [`lowered to ${effective} by ${by.join(" and ")}`] : []
    const inForce = hook.enabled && (effective !== "off" || hook.phase === "observe")
    return rowOf(hook, effective, inForce, [...disabled, ...scope, ...lowered])
  })
}

const UNTRUSTED = "its file is not trusted (`detent trust` records its content)"
const REPLACED = "the list of a higher layer takes the place of its own (a `null` in that list keeps this one)"

const UNTRUSTED_MANIFEST = "its manifest is not trusted as it is now (`detent trust` records its content)"
const OTHER_SERVER = "a higher layer declares another server of its server's name"

/** What the layering left out: programs of a file that nobody has said to trust, and lists that another one replaces. */
function leftOut({ given, io }: Call, policy: Policy): Row[] {
  const named = given.value("policy")
  const files = discover({ cwd: io.cwd, env: io.env, ...(named === undefined ? {} : { policy: named }) })
  // Whether hooks are switched off is no difference between them.
  const same = (hook: Hook): string => sameness(switchedOff(policy) ? { ...hook, enabled: true } : hook, true)
  const kept = new Set(policy.hooks.flatMap((hook) => (hook === null ? [] : [same(hook)])))
  return files.flatMap(({ content, shown, path, layer, trusted, found }) =>
    parsePolicyBytes(content, { file: shown, base: dirname(path), layer }).hooks.flatMap((hook) => {
      if (hook === null) return []
      // The rules of a file that nobody trusts are in force, at most at `ask`.
      const left = trusted ? !kept.has(same(hook)) : hook.action.kind !== "rule" || hook.grant !== undefined
      const why = !trusted ? UNTRUSTED : hook.grant === undefined ? REPLACED : found ? UNTRUSTED_MANIFEST : OTHER_SERVER
      return left ? [rowOf(hook, "off", false, [why])] : []
    }),
  )
}

const rowOf = (hook: Hook, effective: string, inForce: boolean, why: readonly string[]): Row => ({
  id: hook.id,
  on: hook.on,
  phase: hook.phase,
  action: hook.action.kind,
  effect: hook.effect,
  effective,
  floor: hook.floor,
  failure: hook.failure,
  inForce,
  ...(why.length > 0 ? { why: why.join("; ") } : {}),
  origins: hook.origins.map(showOrigin),
})

function rowText(row: Row, { columns, paint }: Out): string {
  const { id, on, phase, action, effect, effective, floor, failure, inForce, why, origins } = row
  const level = effect === effective ? effect : `${effective} of ${effect}`
  const marks = [
    showMoment(on, phase),
    action,
    level,
    ...(floor === "off" ? [] : [`floor ${floor}`]),
    ...(failure === "open" ? [] : ["closed"]),
  ]
  const state = inForce ? paint("good", "in force") : paint("bad", "not in force")
  const reason = why === undefined ? "" : `: ${oneLine(why)}`
  const from = paint("faint", `from ${origins.map(oneLine).join(", ")}`)
  return wrap(
    `${paint("strong", oneLine(id))} [${oneLine(marks.join(", "))}] ${state}${reason}; ${from}`,
    columns,
    "    ",
  )
}
