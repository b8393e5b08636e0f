import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { JsonObject } from "../../effects/json.ts"
import type { Point } from "../../policy/points.ts"
import { detent, folderWith } from "../cli/capture.ts"
import { RawClient } from "../mcp/raw.ts"
import { everything, stub } from "../mcp/servers.ts"

/** A policy around what a caller is to do: `hooks` leave a mark where they run, and `lines` those of a script. */
export interface Marking {
  readonly hooks: readonly JsonObject[]
  readonly lines: JsonObject
}

/** Does what the system's own callers do, one after another, until the point has been passed in all of its phases. */
type Callers = (marking: Marking) => Promise<void>

const SERVERS = { good: stub("one", "ok", "fine"), bad: { command: ["false"] } }

/** Command lines, each of which may fail: what is looked at is what ran. */
const commands =
  (...words: readonly (readonly string[])[]): Callers =>
  async ({ hooks, lines }) => {
    const cwd = folderWith({ "detent.json": { version: 1, servers: SERVERS, ...lines, hooks } })
    for (const [command = "", ...rest] of words) await detent([command, "--policy", "detent.json", ...rest], { cwd })
  }

/** Requests of a client of `detent mcp`. */
const requests =
  (...asked: readonly (readonly [method: string, params: JsonObject])[]): Callers =>
  async ({ hooks }) => {
    const client = await RawClient.start({ servers: { s: everything() }, hooks }, ["--server", "s"])
    for (const [method, params] of asked) await client.request(method, params)
    await client.close()
  }

const RECORDED = fileURLToPath(new URL("../../fixtures/agents/claude-code/", import.meta.url))

/** What a real agent has sent to the command that its own hook configuration names. */
const agent =
  (...events: readonly string[]): Callers =>
  async ({ hooks }) => {
    const cwd = folderWith({ "detent.json": { version: 1, hooks } })
    for (const name of events) {
      const stdin = readFileSync(`${RECORDED}${name}.json`, "utf8")
      await detent(["hook", "claude-code", "--policy", "detent.json"], { cwd, stdin })
    }
  }

/** Who fires each point: a point has no place in the table of points without a row here. */
export const CALLERS = {
  call: commands(["call", "good/ok"], ["call", "bad/none"]),
  script: commands(["exec", "return 1"], ["exec", "throw new Error('on purpose')"]),
  "server.start": commands(["call", "good/ok"], ["call", "bad/none"]),
  "tools.list": requests(["tools/list", {}]),
  "resource.read": requests(
    ["resources/read", { uri: "demo://resource/dynamic/text/1" }],
    ["resources/read", { uri: "demo://no/such" }],
  ),
  "prompt.get": requests(["prompts/get", { name: "simple-prompt" }], ["prompts/get", { name: "no-such-prompt" }]),
  prompt: agent("UserPromptSubmit"),
  permission: agent("PermissionRequest.Bash"),
  thread: agent("SessionStart.startup", "SessionEnd.other"),
  turn: agent("Stop"),
  compact: agent("PreCompact.manual", "PostCompact.manual"),
  subagent: agent("SubagentStart.general-purpose", "SubagentStop.general-purpose"),
} as const satisfies Readonly<Record<Point, Callers>>
