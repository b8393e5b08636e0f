import { randomBytes } from "node:crypto"
import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Level } from "../../effects/levels.ts"
import type { Hook } from "../../policy/policy.ts"

/** What a variable is taken from. */
export interface Subject {
  readonly event: JsonObject
  readonly hook: Hook
  readonly effective: Level
}

const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The flat variables that a child gets as `DETENT_HOOK_<NAME>`; one whose value is no text is left out. */
export const VARIABLES = Object.freeze({
  ID: { doc: "the hook's id", of: ({ hook }) => hook.id },
  ON: { doc: "the point", of: ({ event, hook }) => event.on ?? hook.on },
  PHASE: { doc: "the phase", of: ({ event, hook }) => event.phase ?? hook.phase },
  EFFECT: { doc: "the level in force", of: ({ effective }) => effective },
  SERVER: { doc: "the MCP server, or the agent's name for its own tools", of: ({ event }) => event.server },
  TOOL: { doc: "the tool's raw name", of: ({ event }) => event.tool },
  KIND: { doc: "what the tool does: shell, read, write, …", of: ({ event }) => event.kind },
  COMMAND: { doc: "the target's command", of: ({ event }) => member(event.target, "command") },
  PATH: { doc: "the target's path", of: ({ event }) => member(event.target, "path") },
  URL: { doc: "the target's address", of: ({ event }) => member(event.target, "url") },
  SESSION: { doc: "the session's id", of: ({ event }) => event.session },
  AGENT: { doc: "the agent's name", of: ({ event }) => event.agent },
  CALLER: { doc: "the caller's id", of: ({ event }) => member(event.caller, "id") },
  CWD: { doc: "the folder that the event names", of: ({ event }) => event.cwd },
} as const satisfies Record<string, { doc: string; of(subject: Subject): unknown }>)

/** Names the variables that were cut, with spaces between. */
export const CUT_VARIABLE = "DETENT_HOOK_CUT"

/** Marks every process of one run, so that none can leave the tree; an outer run's mark stays in front. */
export const RUN_VARIABLE = "DETENT_HOOK_RUN"

/** Bytes of one variable: far below the system's limit, so that a long value never stops the start. */
export const VARIABLE_LIMIT = 4096

/** What a child gets of its parent's environment, besides `LC_*`. */
export const INHERITED: readonly string[] = Object.freeze([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TMPDIR",
  "TERM",
  "TZ",
])

export type Environment = Readonly<Record<string, string | undefined>>

/** The part of the parent's environment that any hook may see. */
export function inherited(parent: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(parent)) {
    const value = parent[name]
    if (value !== undefined && (INHERITED.includes(name) || name.startsWith("LC_"))) kept[name] = value
  }
  // At level 0 bash takes a socket on stdin for a remote shell and sources ~/.bashrc, whose output would be ours.
  kept.SHLVL = "1"
  return kept
}

/** A hook's own `env`; `env:NAME` takes the parent's variable, and a note names one that is not set there. */
export function declared(hook: Hook, parent: Environment, notes: string[]): Record<string, string> {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(hook.env ?? {})) {
    const taken = value.startsWith("env:") ? parent[value.slice(4)] : value
    if (taken === undefined) notes.push(`\`${name}\` is left out: \`${value.slice(4)}\` is not set`)
    else own[name] = taken
  }
  return own
}

/** A fresh mark, after the one of the run that this process itself belongs to. */
export const freshRun = (parent: Environment): { id: string; mark: string } => {
  const id = randomBytes(12).toString("hex")
  const outer = parent[RUN_VARIABLE]
  return { id, mark: outer === undefined ? id : `${outer.slice(-VARIABLE_LIMIT)}/${id}` }
}

/** The `DETENT_HOOK_*` variables of one event. */
export function variables(subject: Subject): Record<string, string> {
  const set: Record<string, string> = {}
  const cut: string[] = []
  for (const [short, { of }] of Object.entries(VARIABLES)) {
    const value = of(subject)
    if (typeof value !== "string") continue
    const name = `DETENT_HOOK_${short}`
    const fitting = shorten(value)
    if (fitting !== value) cut.push(name)
    set[name] = fitting
  }
  if (cut.length > 0) set[CUT_VARIABLE] = cut.join(" ")
  return set
}

/** The longest start that the system takes: whole characters, within the limit, up to a NUL. */
function shorten(text: string): string {
  const nul = text.indexOf("\0")
  const clean = nul < 0 ? text : text.slice(0, nul)
  if (clean.length * 3 <= VARIABLE_LIMIT) return clean
  const bytes = Buffer.from(clean, "utf8")
  if (bytes.length <= VARIABLE_LIMIT) return clean
  let end = VARIABLE_LIMIT
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString("utf8", 0, end)
}
