import { HOST_NAMES } from "../dialects/hosts.ts"
import { LEVEL_NAMES } from "../effects/levels.ts"
import { FLAG_SETTINGS, flagOf, SETTINGS, type Setting, type SettingPath } from "../settings/registry.ts"
import type { Flag } from "./command.ts"

export const FORMATS = Object.freeze(["text", "json", "ndjson"] as const)
export type Format = (typeof FORMATS)[number]

/** The flags that more than one command takes. */
export const SHARED = Object.freeze({
  policy: {
    name: "policy",
    kind: "value",
    hint: "FILE",
    doc: "the policy, trusted since you name it; else detent.yaml or detent.json, nearest upward",
  },
  event: { name: "event", kind: "value", hint: "FILE", doc: "the event as one JSON object; `-` reads it from stdin" },
  caller: {
    name: "caller",
    kind: "value",
    hint: "ID|JSON",
    doc: "who asks: an id, or an object with `id` and what else conditions read",
  },
  format: {
    name: "format",
    kind: "value",
    hint: "FORMAT",
    values: FORMATS,
    doc: "text, one JSON document, or NDJSON, one value a line",
  },
  host: {
    name: "host",
    kind: "value",
    hint: "AGENT|LEVEL",
    values: [...HOST_NAMES, ...LEVEL_NAMES],
    doc: "the agent that asks, or the highest level that it can carry",
  },
  cassettes: {
    name: "cassettes",
    kind: "value",
    hint: "DIR",
    doc: "answer prompts from the recordings in this folder; no model is asked",
  },
  socket: {
    name: "socket",
    kind: "value",
    hint: "PATH",
    doc: "the daemon's socket, in a folder that belongs to you alone; default: your own",
  },
  help: { name: "help", kind: "switch", doc: "show this" },
} as const satisfies Record<string, Flag>)

const KINDS = Object.freeze({
  level: { kind: "value", hint: "LEVEL" },
  text: { kind: "value", hint: "TEXT" },
  number: { kind: "value", hint: "NUMBER" },
  boolean: { kind: "value", hint: "true|false", values: ["true", "false"] },
  enum: { kind: "value", hint: "WORD" },
  list: { kind: "list", hint: "TEXT" },
  lines: { kind: "list", hint: "CODE" },
} as const)

function rowOf(path: SettingPath): Flag {
  const setting: Setting = SETTINGS[path]
  const words = setting.kind === "level" ? (setting.levels ?? LEVEL_NAMES) : setting.values
  const levels = words ? { values: words } : {}
  const name = flagOf(path).slice(2)
  const short = name.replace(/^(script|serve)-/, "")
  const names = short === name ? { name } : { name: short, also: name }
  return { ...names, ...KINDS[setting.kind as keyof typeof KINDS], ...levels, doc: setting.doc, setting: path }
}

const ofSettings = (wanted: (path: SettingPath) => boolean): readonly Flag[] =>
  Object.freeze(FLAG_SETTINGS.filter(wanted).map(rowOf))

/** The lines inside a script, in the short spelling of `run` and `exec`. */
export const SCRIPT_FLAGS = ofSettings((path) => path.startsWith("script."))

/** How models are asked: for commands that run hooks. */
export const MODEL_FLAGS = ofSettings((path) => path.startsWith("model."))

/** Who is asked before calls are sent: for commands that send any. */
export const GATE_FLAGS = ofSettings((path) => path.startsWith("elicit."))

/** What clients of the gateway get. */
export const MCP_FLAGS = ofSettings((path) => path.startsWith("mcp."))

/** Where the daemon listens, what it tells, and how long it waits. */
export const DAEMON_FLAGS = ofSettings((path) => /^(serve|log|approvals)\./.test(path))

/** How far hooks may go: for commands that measure what they would say. */
export const LEVEL_FLAGS = ofSettings((path) => SETTINGS[path].kind === "level")
/** Where decisions are recorded: for commands that decide. */
export const RECORD_FLAGS = ofSettings((path) => /^audit\.(folder|required|redact)$/.test(path))

/** How much is kept of the record: for commands that run long. */
export const KEEP_FLAGS = ofSettings((path) => path.startsWith("audit.keep"))

/** All other settings: each is a flag wherever a policy is read. */
export const SETTING_FLAGS = ofSettings((path) => !/^(script|model|elicit|mcp|serve|log|approvals|audit)\./.test(path))
