import { LEVEL_NAMES } from "../effects/levels.ts"

/** How a setting's value is written. */
export type SettingKind =
  /** a level of the dial */
  | "level"
  /** one of a few words */
  | "enum"
  /** a text */
  | "text"
  /** a number */
  | "number"
  /** `true` or `false` */
  | "boolean"
  /** texts */
  | "list"
  /** lines of source */
  | "lines"
  /** a list or an object that only a file can hold: no flag and no variable */
  | "structured"

/** How what several layers say of a setting becomes one value. */
export const COMBINING = Object.freeze({
  highest: "the highest layer that says something counts",
  lowest: "the lowest of all that is said counts: no layer raises another's",
  any: "it is on where any layer says so",
  all: "it is off where any layer says so",
  union: "what all layers say counts together",
  list: "a list takes the place of the one below it; a `null` in it stands for that one",
  hooks: "a list takes the place of the one below it, but for hooks with a floor; a `null` in it stands for that one",
  named: "name by name, the highest layer that says something counts",
} as const)
export type Combining = keyof typeof COMBINING

/** One setting: a dotted key of a policy file and, unless structured, a flag and a variable. */
export interface Setting {
  readonly kind: SettingKind
  /** what holds where nothing is said; absent: nothing */
  readonly default?: string | number | boolean
  /** who may say it: `call` a caller too, `daemon` only whoever starts the process */
  readonly scope: "daemon" | "call"
  /** whether a change is taken up while running */
  readonly hot: boolean
  /** a level's values in order, least first; absent: the whole dial */
  readonly levels?: readonly string[]
  /** the words of an `enum` */
  readonly values?: readonly string[]
  /** how layers combine; absent: by kind, see {@link combiningOf} */
  readonly combines?: Combining
  /** the setting that lowers this one */
  readonly clampedBy?: string
  readonly doc: string
}

/** Every setting. A policy file's keys, the flags, the variables and the reference derive from this table. */
export const SETTINGS = Object.freeze({
  "autonomy.max": {
    kind: "level",
    default: "run",
    levels: LEVEL_NAMES,
    scope: "daemon",
    hot: false,
    combines: "lowest",
    doc: "the highest level that any hook reaches here; layers combine by minimum",
  },
  "hooks.autonomy": {
    kind: "level",
    default: "run",
    levels: LEVEL_NAMES,
    scope: "call",
    hot: true,
    clampedBy: "autonomy.max",
    doc: "the highest level that a caller wants for hooks on its operations",
  },
  "script.before": { kind: "lines", scope: "call", hot: true, doc: "lines before a script's globals are there" },
  "script.prefix": { kind: "lines", scope: "call", hot: true, doc: "lines after the globals, before the script" },
  "script.onSuccess": { kind: "lines", scope: "call", hot: true, doc: "lines after success, with `result.value`" },
  "script.onError": { kind: "lines", scope: "call", hot: true, doc: "lines after an error, with `result.error`" },
  "script.suffix": { kind: "lines", scope: "call", hot: true, doc: "lines at the end, on both paths" },
  "elicit.confirmDestructive": {
    kind: "boolean",
    default: false,
    scope: "daemon",
    hot: true,
    combines: "any",
    doc: "ask before each destructive call, whoever caused it; on where any layer says so",
  },
  "features.hooks": {
    kind: "boolean",
    default: true,
    scope: "daemon",
    hot: true,
    combines: "all",
    doc: "false switches all hooks off but those with a floor; off where any layer says so",
  },
  "mcp.exec": {
    kind: "boolean",
    default: false,
    scope: "daemon",
    hot: false,
    doc: "give clients of the gateway the tool `detent_exec`, which runs code",
  },
  "mcp.approvals": {
    kind: "boolean",
    default: false,
    scope: "daemon",
    hot: false,
    doc: "let questions that a client of `detent mcp` cannot show wait for `detent approvals`; else they refuse",
  },
  "serve.socket": {
    kind: "text",
    scope: "daemon",
    hot: false,
    doc: "the daemon's socket, in a folder that belongs to you alone; default: your own",
  },
  "serve.port": {
    kind: "number",
    scope: "daemon",
    hot: false,
    doc: "listen on this port of 127.0.0.1, too, where every request needs a token; 0: any that is free",
  },
  "serve.origins": {
    kind: "list",
    scope: "daemon",
    hot: false,
    doc: "pages that may speak to the daemon besides those of this machine: `https://host:port`",
  },
  "log.level": {
    kind: "enum",
    values: ["debug", "info", "warn", "error"],
    default: "info",
    scope: "daemon",
    hot: true,
    doc: "the least that the daemon's log tells",
  },
  "log.format": {
    kind: "enum",
    values: ["json", "text"],
    default: "json",
    scope: "daemon",
    hot: false,
    doc: "how the daemon's log is written: one JSON object a line, or for people",
  },
  "approvals.timeoutMs": {
    kind: "number",
    default: 3_600_000,
    scope: "daemon",
    hot: true,
    doc: "the longest that a question waits for a person, in milliseconds",
  },
  "audit.folder": {
    kind: "text",
    scope: "daemon",
    hot: false,
    doc: "where decisions are recorded, by every command that decides; default: the daemon's own folder, and the daemon alone",
  },
  "audit.required": {
    kind: "boolean",
    default: true,
    scope: "daemon",
    hot: false,
    combines: "any",
    doc: "refuse what cannot be recorded; false, where no layer says true: go on, and say so",
  },
  "audit.redact": {
    kind: "list",
    scope: "daemon",
    hot: false,
    combines: "union",
    doc: "fields that the record and the events hold as hash and size alone: `input.password`, `caller.claims.*`; all layers count",
  },
  "audit.keepDays": {
    kind: "number",
    scope: "daemon",
    hot: false,
    doc: "older rows are pruned, by what runs long; default: none is",
  },
  "audit.keepRows": {
    kind: "number",
    scope: "daemon",
    hot: false,
    doc: "all but the newest so many rows are pruned, by what runs long; default: none is",
  },
  hooks: {
    kind: "structured",
    scope: "daemon",
    hot: true,
    combines: "hooks",
    doc: "the hooks, in the order in which they run",
  },
  ceilings: {
    kind: "structured",
    scope: "daemon",
    hot: true,
    combines: "union",
    doc: "what lowers `autonomy.max` where it matches",
  },
  servers: { kind: "structured", scope: "daemon", hot: true, doc: "MCP servers, by the name that `server/tool` uses" },
  model: { kind: "structured", scope: "daemon", hot: true, doc: "the model that prompt hooks ask" },
  "model.provider": { kind: "text", scope: "daemon", hot: true, doc: "whose interface the model speaks" },
  "model.name": { kind: "text", scope: "daemon", hot: true, doc: "the model's name at its provider" },
  "model.baseUrl": { kind: "text", scope: "daemon", hot: true, doc: "where the provider answers" },
  "model.apiKeyEnv": { kind: "text", scope: "daemon", hot: true, doc: "the variable that holds the key" },
  "model.temperature": { kind: "number", scope: "daemon", hot: true, doc: "0 to 2: how freely the model answers" },
  "model.maxTokens": { kind: "number", scope: "daemon", hot: true, doc: "the longest answer, in tokens" },
  "model.seed": { kind: "number", scope: "daemon", hot: true, doc: "asks for the same answer each time (openai)" },
  "model.stream": { kind: "boolean", scope: "daemon", hot: true, doc: "read answers as they are written" },
  "model.cacheMs": { kind: "number", scope: "daemon", hot: true, doc: "milliseconds for which an answer is kept" },
  "model.concurrency": { kind: "number", scope: "daemon", hot: true, doc: "requests to models at once" },
  "model.prices": { kind: "structured", scope: "daemon", hot: true, doc: "dollars for a million tokens, by model" },
  "model.budget": {
    kind: "structured",
    scope: "daemon",
    hot: true,
    combines: "lowest",
    doc: "what all prompts may use, by run and day",
  },
} as const satisfies Record<string, Setting>)

export type SettingPath = keyof typeof SETTINGS

export const SETTING_PATHS = Object.freeze(Object.keys(SETTINGS)) as readonly SettingPath[]

/** How the layers of a setting combine: as its row says, else by its kind. */
export function combiningOf({ combines, kind }: Setting): Combining {
  if (combines) return combines
  if (kind === "lines" || kind === "list") return "list"
  return kind === "structured" ? "named" : "highest"
}

/** Whether a setting can only be read in a running daemon: what would run code, reach a server or set a key free. */
export const isFixed = (path: SettingPath): boolean => {
  const { kind } = SETTINGS[path] as Setting
  return kind === "lines" || kind === "structured" || path.startsWith("model.")
}
