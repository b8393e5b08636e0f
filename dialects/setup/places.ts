import type { JsonObject } from "../../effects/json.ts"
import { MOMENTS } from "../opencode/moments.ts"
import { isPlugin, pluginText } from "../opencode/plugin.ts"

/** Where and how an agent's hooks are written down. */
export interface SetupRow {
  /** relative to the project's folder */
  readonly project: string
  readonly user: {
    /** the variable that names the agent's own folder */
    readonly variable?: string
    /** that folder, relative to home */
    readonly folder: string
    readonly file: string
  }
  /** `groups`: an event maps to groups with a matcher, each with its `hooks`; `entries`: to the hooks themselves */
  readonly shape: "groups" | "entries"
  /** what the file says besides `hooks` */
  readonly head: JsonObject
  /** the payload does not say which event it is */
  readonly namesEvent?: true
  /** events that are left out, since another one says the same */
  readonly leaves?: readonly string[]
  /** one hook, as the agent writes it */
  entry(command: string, seconds: number | undefined, gates: boolean): JsonObject
  /** what has to be done, or known, besides the file */
  readonly note?: string
}

const timed = (name: string, value: number | undefined): JsonObject => (value === undefined ? {} : { [name]: value })

/** The agents that `detent init` can write to, by name. */
export const SETUPS = Object.freeze({
  "claude-code": {
    project: ".claude/settings.json",
    user: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", file: "settings.json" },
    shape: "groups",
    head: {},
    entry: (command, seconds, gates) => ({
      type: "command",
      command,
      ...timed("timeout", seconds),
      ...(gates ? { onFailure: "block" } : {}),
    }),
  },
  codex: {
    project: ".codex/hooks.json",
    user: { variable: "CODEX_HOME", folder: ".codex", file: "hooks.json" },
    shape: "groups",
    head: {},
    entry: (command, seconds) => ({ type: "command", command, ...timed("timeout", seconds) }),
    note: "Codex runs a hook only after you have trusted it there: type `/hooks`",
  },
  gemini: {
    project: ".gemini/settings.json",
    user: { folder: ".gemini", file: "settings.json" },
    shape: "groups",
    head: {},
    entry: (command, seconds) => ({
      type: "command",
      name: "detent",
      command,
      ...timed("timeout", seconds === undefined ? undefined : seconds * 1000),
    }),
    note: "Gemini CLI runs a project's hooks only in a folder that it trusts",
  },
  cursor: {
    project: ".cursor/hooks.json",
    user: { folder: ".cursor", file: "hooks.json" },
    shape: "entries",
    head: { version: 1 },
    // Every tool passes `preToolUse`, too: with both, each hook would run twice for one call.
    leaves: ["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
    entry: (command, seconds, gates) => ({
      command,
      ...timed("timeout", seconds),
      ...(gates ? { failClosed: true } : {}),
    }),
    note: "written after Cursor's documentation, and not tried with Cursor itself",
  },
  vscode: {
    project: ".github/hooks/detent-vscode.json",
    user: { folder: ".copilot", file: "hooks/detent-vscode.json" },
    shape: "entries",
    head: {},
    entry: (command, seconds) => ({ type: "command", command, ...timed("timeout", seconds) }),
    note: "written after VS Code's documentation, and not tried with it; Copilot reads this folder, too",
  },
  copilot: {
    project: ".github/hooks/detent.json",
    user: { folder: ".copilot", file: "hooks/detent.json" },
    shape: "entries",
    head: { version: 1 },
    namesEvent: true,
    // The same events by the names of Claude Code.
    leaves: [
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PermissionRequest",
      "UserPromptSubmit",
      "SessionStart",
      "SessionEnd",
      "Stop",
      "SubagentStart",
      "SubagentStop",
      "PreCompact",
    ],
    entry: (command, seconds) => ({ type: "command", bash: command, ...timed("timeoutSec", seconds) }),
  },
} as const satisfies Record<string, SetupRow>)

/** An agent that takes a whole file of ours. */
export interface FileRow extends Pick<SetupRow, "project" | "note"> {
  readonly user: SetupRow["user"]
  readonly timeoutMs: number
  text(command: string, timeoutMs: number): string
  isOurs(text: string): boolean
}

const FILES: Readonly<Record<string, FileRow>> = Object.freeze({
  opencode: {
    project: ".opencode/plugin/detent.js",
    user: { variable: "OPENCODE_CONFIG_DIR", folder: ".config/opencode", file: "plugin/detent.js" },
    timeoutMs: MOMENTS["tool.execute.before"].timeoutMs,
    text: pluginText,
    isOurs: isPlugin,
  },
})

export const fileRow = (name: string): FileRow | undefined => (Object.hasOwn(FILES, name) ? FILES[name] : undefined)

export const SETUP_NAMES: readonly string[] = Object.freeze(Object.keys(SETUPS))

/** All that `detent init` knows. */
export const INIT_NAMES: readonly string[] = Object.freeze([...SETUP_NAMES, ...Object.keys(FILES)])

/** An agent's row with the wide type that loops want; undefined for an agent that has none. */
export const setupRow = (name: string): SetupRow | undefined =>
  Object.hasOwn(SETUPS, name) ? SETUPS[name as keyof typeof SETUPS] : undefined
