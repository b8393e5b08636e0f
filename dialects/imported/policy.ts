import { isObject, type JsonObject } from "../../effects/json.ts"
import { reaches } from "../../effects/levels.ts"
import type { Finding } from "../../policy/findings.ts"
import { nearest } from "../../policy/nearest.ts"
import type { MomentRow } from "../dialect.ts"
import { DIALECTS } from "../dialects.ts"
import { isOurs } from "../setup/command.ts"
import { type Entry, entriesOf, lineIn, rootOf } from "../setup/entries.ts"
import { lineOf } from "../setup/json-text.ts"
import type { SetupRow } from "../setup/places.ts"
import { effectAt, readEntry } from "./hook.ts"
import { both, type Matched, ruleOf, toolMatcherOf } from "./matcher.ts"

/** A hook as a policy writes it, and what has to be known about it. */
export interface Imported {
  readonly hook: JsonObject
  /** the command itself, as its host runs it */
  readonly command: unknown
  readonly place: Pick<Finding, "file" | "line">
  readonly findings: readonly Finding[]
}

export interface ImportOptions {
  readonly agent: string
  /** as findings show it */
  readonly file: string
  readonly shape: SetupRow["shape"]
  /** the argv of this program: it stands before the commands */
  readonly program: readonly string[]
}

/** Reads a host's hooks as hooks of ours. @throws SetupError where the text is no configuration. */
export function importHooks(text: string, options: ImportOptions): readonly Imported[] {
  const { agent, file, shape } = options
  const root = rootOf(text).value as JsonObject
  const off = root.disableAllHooks === true
  const imported = entriesOf(text, shape).map((entry, index): Imported => {
    const place = { file, line: lineOf(text, entry.at) }
    const { hook, doubts } = importOne(entry, options, index)
    const findings = [...(off ? ["`disableAllHooks` is set: it never runs"] : []), ...doubts].map(
      (message): Finding => ({ severity: "warning", ...place, message: `${entry.event}: ${message}` }),
    )
    return { hook: off && hook.id ? { ...hook, enabled: false } : hook, command: lineIn(entry.entry), place, findings }
  })
  return [...imported, ...strangers(root, agent, file)]
}

/** What stands under `hooks` and is none, so that nobody reads it. */
function strangers({ hooks }: JsonObject, agent: string, file: string): Imported[] {
  const known = Object.keys(DIALECTS[agent]!.moments)
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, value]) => {
    if (Array.isArray(value)) return []
    const near = nearest(event, known)
    const message = `\`hooks.${event}\` is no list: nothing in it runs${near ? ` (\`${near}\` is an event)` : ""}`
    return [
      { hook: {}, command: undefined, place: { file }, findings: [{ severity: "warning" as const, file, message }] },
    ]
  })
}

function importOne(
  { event, matcher, entry }: Entry,
  { agent, program }: ImportOptions,
  index: number,
): { readonly hook: JsonObject; readonly doubts: readonly string[] } {
  if (isOurs(lineIn(entry))) return { hook: {}, doubts: ["it is Detent itself: it is left out"] }
  const { moments } = DIALECTS[agent]!
  const row: MomentRow | undefined = Object.hasOwn(moments, event) ? moments[event] : undefined
  if (!row) {
    const near = nearest(event, Object.keys(moments))
    const meant = near ? `; did it mean \`${near}\`?` : ""
    return { hook: {}, doubts: [`no hook of ours can be on this event: it is left out${meant}`] }
  }
  const { when, doubts } = conditionOf(agent, event, row, matcher, entry)
  const reading = readEntry({ agent, event, row, program }, entry)
  if (!reading.action) return { hook: {}, doubts: [...doubts, ...reading.doubts] }
  const effect = reading.effect ?? effectAt(row)
  const hook: JsonObject = {
    id: `${agent}-${event}-${index + 1}`,
    on: row.on,
    phase: row.phases[0],
    when,
    ...reading.action,
    effect,
    failure: reading.failure === "closed" && reaches(effect, "ask") ? "closed" : undefined,
    timeoutMs: reading.timeoutMs,
    env: reading.env,
  }
  return { hook, doubts: [...doubts, ...reading.doubts] }
}

/** Events that are about some tools only. */
const ONLY: Readonly<Record<string, JsonObject>> = Object.freeze({
  beforeShellExecution: { kind: "shell" },
  beforeMCPExecution: { tool: "mcp__**" },
  beforeReadFile: { kind: "read" },
})

function conditionOf(agent: string, event: string, row: MomentRow, matcher: unknown, entry: JsonObject): Matched {
  const isTool = row.on === "call" || row.on === "permission"
  const idle = !isTool && matcher !== undefined && matcher !== "" && matcher !== "*"
  if (idle) return sourceOf(agent, row, matcher)
  const ofTool = isTool ? toolMatcherOf(agent, matcher) : { doubts: [] }
  const rule = agent === "claude-code" && typeof entry.if === "string" ? ruleOf(entry.if) : { doubts: [] }
  const when = both(both(ONLY[event], ofTool.when), rule.when)
  return { ...(when ? { when } : {}), doubts: [...ofTool.doubts, ...rule.doubts] }
}

/** A matcher of an event without tools: of how a conversation started, or nothing at all. */
function sourceOf(agent: string, row: MomentRow, matcher: unknown): Matched {
  if ("source" in row.fields && typeof matcher === "string" && /^[\w|]+$/.test(matcher)) {
    const names = matcher.split("|")
    return { when: { source: names.length === 1 ? names[0] : names }, doubts: [] }
  }
  return { doubts: [`${DIALECTS[agent]!.title} passes over the matcher \`${String(matcher)}\` here: all is meant`] }
}
