import { isObject, type JsonObject } from "../../effects/json.ts"
import { type Level, lowest } from "../../effects/levels.ts"
import { PHASES } from "../../policy/phases.ts"
import { pointRow } from "../../policy/points.ts"
import { gates } from "../ceiling.ts"
import type { MomentRow } from "../dialect.ts"

/** How one entry of a host's configuration becomes an action, and how the host treats it. */
export interface Reading {
  /** `run` or `prompt`, with its value */
  readonly action?: JsonObject
  readonly failure: "open" | "closed"
  readonly timeoutMs: number
  readonly env?: JsonObject
  readonly effect?: Level
  readonly doubts: readonly string[]
}

/** What the host lets its hooks do at an event. */
export function effectAt(row: MomentRow): Level {
  const [phase] = row.phases
  const host = row.apply !== "none" ? "apply" : row.refuse === "none" || row.refuse === "tells" ? "advise" : "ask"
  return lowest(host, PHASES[phase!].ceiling, pointRow(row.on).phases[phase!]?.limit ?? "run")
}

interface Way {
  /** the member that holds the time limit, and how many milliseconds its unit is */
  readonly timeout: readonly [string, number]
  /** whether the host's own way to fail is closed here */
  closed(entry: JsonObject, row: MomentRow): boolean
  /** what has to be written to close it */
  readonly cure: string
}

/** How each host's configuration says what becomes of a hook that fails. */
export const WAYS: Readonly<Record<string, Way>> = Object.freeze({
  "claude-code": {
    timeout: ["timeout", 1000],
    closed: ({ onFailure }) => onFailure === "block",
    cure: '`"onFailure": "block"` closes it from 2.1.295 on',
  },
  codex: { timeout: ["timeout", 1000], closed: () => false, cure: "Codex has no way to close it" },
  gemini: { timeout: ["timeout", 1], closed: () => false, cure: "Gemini CLI has no way to close it" },
  cursor: {
    timeout: ["timeout", 1000],
    closed: ({ failClosed }) => failClosed === true,
    cure: '`"failClosed": true` closes it',
  },
  vscode: { timeout: ["timeout", 1000], closed: () => false, cure: "VS Code has no way to close it" },
  copilot: {
    timeout: ["timeoutSec", 1000],
    closed: (_, row) => row.on === "call" && row.phases[0] === "before",
    cure: "Copilot closes it before a tool alone",
  },
})

/** What starts the command of a host's hook from one of ours. */
export interface Starting {
  readonly agent: string
  readonly event: string
  readonly row: MomentRow
  /** the argv of this program */
  readonly program: readonly string[]
}

/** Reads one entry: a command becomes a `run`, a judge a `prompt`; what cannot be carried over is said. */
export function readEntry({ agent, event, row, program }: Starting, entry: JsonObject): Reading {
  const way = WAYS[agent]!
  const [member, unit] = way.timeout
  const limit = Number(entry[member])
  const timeoutMs = Math.min(2_147_483_647, Math.max(1, Math.round(limit > 0 ? limit * unit : row.timeoutMs)))
  const closed = way.closed(entry, row)
  const base = { failure: closed ? "closed" : "open", timeoutMs } as const
  const type = entry.type ?? (entry.prompt === undefined ? "command" : "prompt")
  const none = (why: string): Reading => ({ ...base, doubts: [why] })
  if (type === "prompt" || type === "agent") {
    if (agent === "codex") return none(`Codex passes over hooks of the type \`${String(type)}\`: it never runs`)
    if (agent === "copilot") return none("a `prompt` of Copilot is a text for the start of a session, and no judge")
    return judge(entry, type, base)
  }
  if (type !== "command") return none(`a hook of the type \`${String(type)}\` has no counterpart here: it is left out`)
  const argv = argvOf(entry)
  if (!argv) return none("it has no command: it is left out")
  const open = gates(row) && !closed
  const isAsync = entry.async === true || entry.asyncRewake === true
  return {
    ...base,
    failure: closed && !isAsync ? "closed" : "open",
    action: { run: [...program, "hook", "run", agent, "--event", event, "--", ...argv] },
    ...(isAsync ? { effect: "advise" as const } : {}),
    ...(isObject(entry.env) ? { env: entry.env } : {}),
    doubts: [
      ...(open && !isAsync
        ? [`it fails open: where it cannot start, crashes or is too slow, all goes on; ${way.cure}`]
        : []),
      ...(isAsync ? ["it is asynchronous: whatever it decides counts for nothing"] : []),
      ...(agent === "copilot" && closed ? ["where it is too slow, Copilot lets the tool run all the same"] : []),
    ],
  }
}

/** A command with its arguments; a text is the shell's. */
function argvOf({ command, bash, exec, args, linux }: JsonObject): readonly string[] | undefined {
  const line = bash ?? linux ?? command
  const given = Array.isArray(args) ? args.map(String) : undefined
  if (typeof exec === "string") return [exec, ...(given ?? [])]
  if (typeof line !== "string" || line.trim() === "") return undefined
  return given ? [line, ...given] : ["sh", "-c", line]
}

function judge({ prompt }: JsonObject, type: unknown, base: Pick<Reading, "failure" | "timeoutMs">): Reading {
  if (typeof prompt !== "string" || prompt.trim() === "")
    return { ...base, doubts: ["it has no prompt: it is left out"] }
  if (prompt.includes("{{"))
    return { ...base, doubts: ["`{{` in its prompt would be read as a section: it is left out"] }
  const text = prompt.replaceAll("@", "@@").replaceAll("$ARGUMENTS", "@tool @args")
  return {
    ...base,
    effect: "ask",
    action: { prompt: `${text}\n\nWhere the answer is no, refuse, and say why.` },
    doubts: [
      `a \`${String(type)}\` of the host answers \`{ok, reason}\`, and ours what its effect permits: read it`,
      "it fails open there: garbage, and a model that does not answer, let all go on",
    ],
  }
}
