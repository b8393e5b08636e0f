import { DIALECTS } from "../dialects/dialects.ts"
import { hostMoment } from "../dialects/hosts.ts"
import type { Gap } from "../dialects/setup/gaps.ts"
import { INIT_NAMES } from "../dialects/setup/places.ts"
import { PolicyError, showFinding } from "../policy/findings.ts"
import { showMoment } from "../policy/phases.ts"
import type { Policy } from "../policy/policy.ts"
import { loadPolicy } from "../settings/load.ts"
import type { Call } from "./command.ts"
import { tryLive } from "./doctor/live.ts"
import { type Look, lookAt } from "./doctor/look.ts"
import { type Found, foundProgram } from "./doctor/programs.ts"
import type { Report } from "./doctor/report.ts"
import { reportText } from "./doctor/text.ts"
import { document, formatOf } from "./format.ts"
import { isThin } from "./setup/file.ts"

/** Looks whether Detent is asked by the agents of this machine. 1: something that should be refused would go on. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const named = given.values("agent")
  const policies = new Map<string, Policy | string>()
  const reports: Report[] = []
  for (const agent of named.length > 0 ? named : INIT_NAMES) {
    const found = foundProgram(agent, io)
    const look = lookAt(agent, io)
    if (!found && look.files.length === 0 && look.gaps.length === 0 && named.length === 0) continue
    reports.push(await reportOn(agent, found, look, call, policies))
  }
  const format = formatOf(call)
  if (format === "json") io.out.line(document(reports))
  else if (format === "ndjson") for (const report of reports) io.out.line(JSON.stringify(report))
  else io.out.line(reports.length > 0 ? reports.map((one) => reportText(one, io.out)).join("\n") : "no agent was found")
  if (!given.on("live")) io.err.line("detent: nothing was tried: `--live` asks through each configuration")
  return reports.some(({ gaps }) => gaps.some(({ kind }) => kind === "open")) ? 1 : 0
}

async function reportOn(
  agent: string,
  found: Found | undefined,
  { files, gaps, commands }: Look,
  call: Call,
  policies: Map<string, Policy | string>,
): Promise<Report> {
  const [first] = commands
  const base = { agent, ...(found ? { found } : {}), files }
  if (!first) {
    const absent: Gap = { kind: "open", message: `Detent is not in front of it: \`detent init --agent ${agent}\`` }
    return { ...base, gaps: [...gaps, absent] }
  }
  // The daemon's policy is in force there, which only --live asks.
  const ofPolicy = isThin(first.command) ? [] : await policyGaps(agent, first.command, call, policies)
  const live = call.given.on("live") ? tryLive(agent, first.event, first.command, call.io) : undefined
  const passed: readonly Gap[] =
    live && !live.refused
      ? [{ kind: "open", message: `${live.event}: a call that has to be refused was not: ${live.how}` }]
      : []
  return { ...base, gaps: [...gaps, ...ofPolicy, ...passed], ...(live ? { live } : {}) }
}

/** The policy that a command line would find, and what of it this agent never asks about. */
async function policyGaps(
  agent: string,
  command: string,
  { io }: Call,
  policies: Map<string, Policy | string>,
): Promise<readonly Gap[]> {
  const [, quoted, plain] = /--policy[ =](?:'([^']*)'|(\S+))/.exec(command) ?? []
  const name = quoted ?? plain
  const policy = policies.get(name ?? "") ?? (await policyIn(name, io))
  policies.set(name ?? "", policy)
  if (typeof policy === "string") {
    return [{ kind: "note", message: `the policy does not load, so that everything is refused: ${policy}` }]
  }
  const hooks = policy.hooks.filter((hook) => hook !== null && hook.phase !== "observe")
  if (hooks.length === 0) return [{ kind: "open", message: "no hook is in force here: everything goes on" }]
  return hooks.flatMap((hook): readonly Gap[] => {
    if (hook === null || hostMoment(agent, hook.on, hook.phase)) return []
    const message = `\`${hook.id}\` is never asked: ${DIALECTS[agent]!.title} has no ${showMoment(hook.on, hook.phase)}`
    return [{ kind: "note", message }]
  })
}

async function policyIn(policy: string | undefined, { cwd, env }: Call["io"]): Promise<Policy | string> {
  try {
    return (await loadPolicy({ cwd, env, ...(policy === undefined ? {} : { policy }) })).policy
  } catch (cause) {
    if (cause instanceof PolicyError) return cause.findings.map(showFinding).join("; ")
    throw cause
  }
}
