import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { detent, EVENT, folderWith, policy, rule } from "../cli/capture.ts"
import type { Send } from "../daemon/client.ts"
import { daemonWith, type Started, tokenIn } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const EVERYTHING = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
)

/** Wants to change what is written, which needs `apply`. */
const CHANGES = rule("changes", { apply: { merge: { text: "changed" } } })
const CHANGES_SCRIPT = rule("changes", { apply: { input: ["changed"] } }, { on: "script" })
const MAX = { "autonomy.max": "ask" }
const ALL = { "autonomy.max": "run", "hooks.autonomy": "run" }

const daemonOf = (bounded: boolean, hooks: readonly object[], more: object = {}) =>
  daemonWith({ policy: policy(hooks, { ...more, ...(bounded ? MAX : {}) }) })

async function decided(daemon: Started, event: object, more: Partial<Send> = {}): Promise<boolean> {
  return (await daemon.decide({ ...EVENT, ...event }, more)).body.input.text === "changed"
}

/** Runs a script in the daemon from the command line, and answers whether a hook changed its arguments. */
async function ran(bounded: boolean, flags: readonly string[], env: Record<string, string>): Promise<boolean> {
  const daemon = await daemonOf(bounded, [CHANGES_SCRIPT])
  const words = ["exec", "return script.args[0]", "sent", "--remote", "--socket", join(daemon.cwd, "run", "d.sock")]
  return (await detent([...words, ...flags], { cwd: daemon.cwd, env })).out.includes("changed")
}

export const autonomyMax: Attempts<"autonomy.max"> = {
  async body(bounded) {
    const daemon = await daemonOf(bounded, [CHANGES])
    return decided(daemon, { caller: { id: "root", ...ALL, autonomy: "run", scopes: ["administer"] } })
  },
  async header(bounded) {
    const daemon = await daemonOf(bounded, [CHANGES])
    return decided(daemon, {}, { headers: { "x-detent-settings": JSON.stringify(ALL) } })
  },
  environment: (bounded) => ran(bounded, [], { DETENT_AUTONOMY_MAX: "run", DETENT_HOOKS_AUTONOMY: "run" }),
  flags: (bounded) => ran(bounded, ["--autonomy-max", "run", "--hooks-autonomy", "run"], {}),
  async "per-call hook"(bounded) {
    const daemon = await daemonOf(bounded, [])
    const body = { code: "return script.args[0]", args: ["sent"], hooks: [CHANGES_SCRIPT] }
    return (await daemon.send({ path: "/v1/exec", body })).body.value === "changed"
  },
  async "project policy"(bounded) {
    const cwd = folderWith({
      "home/.config/detent/policy.yaml": policy([], bounded ? MAX : {}),
      "detent.json": policy([CHANGES], ALL),
      "e.json": EVENT,
    })
    await detent(["trust"], { cwd })
    return (await detent(["decide", "--event", "e.json"], { cwd })).out.includes('"text":"changed"')
  },
  async mcp(bounded) {
    const echoes = rule("changes", { apply: { merge: { message: "changed" } } })
    const servers = { all: { command: [process.execPath, EVERYTHING, "stdio"] } }
    const daemon = await daemonOf(bounded, [echoes], { servers })
    const token = await tokenIn(daemon, "agent", { scopes: ["exec"] })
    const params = { name: "all__echo", arguments: { message: "sent" }, _meta: { ...ALL, "x-detent-settings": ALL } }
    return (await mcpCall(daemon, token, params)).includes("Echo: changed")
  },
  async "settings PUT"(bounded) {
    const daemon = await daemonOf(bounded, [CHANGES])
    for (const [path, value] of Object.entries(ALL)) {
      await daemon.send({ method: "PUT", path: `/v1/settings/${path}`, body: { value } })
    }
    return decided(daemon, {})
  },
}

/** One tool call over MCP, by hand: what the client sends is what is tried. */
async function mcpCall(daemon: Started, token: string, params: object): Promise<string> {
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "x-detent-settings": JSON.stringify(ALL),
  }
  const post = (method: string, sent: object, more: object = {}, id?: number) =>
    daemon.send({
      path: "/mcp",
      token,
      headers: { ...headers, ...more },
      body: { jsonrpc: "2.0", method, params: sent, ...(id === undefined ? {} : { id }) },
    })
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
  const session = (await post("initialize", hello, {}, 1)).headers["mcp-session-id"]
  const own = session === undefined ? {} : { "mcp-session-id": session }
  await post("notifications/initialized", {}, own)
  return (await post("tools/call", params, own, 2)).text
}
