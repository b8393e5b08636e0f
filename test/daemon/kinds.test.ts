import { expect, it } from "vitest"
import { HAPPENING_TYPES } from "../../policy/happenings.ts"
import { EVENT, folderWith, policy, rule } from "../cli/capture.ts"
import { everything, scripted } from "../mcp/servers.ts"
import type { Loose } from "./client.ts"
import { daemonWith, type Started } from "./world.ts"

/** Tells everything that a server can tell outside of any answer, then answers. */
const TELLS = `const { progressToken } = params._meta ?? {}
if (progressToken) send({ method: "notifications/progress", params: { progressToken, progress: 1 } })
for (const [name, params] of [
  ["message", { level: "info", data: "x" }],
  ["tools/list_changed", {}], ["prompts/list_changed", {}], ["resources/list_changed", {}],
  ["resources/updated", { uri: "a:b" }],
]) send({ method: "notifications/" + name, params }); text("done")`

const on = (point: string, id: string, output: object, when: object, phase = "before"): object =>
  rule(id, output, { on: point, phase, effect: "ask", when })
const named = (name: string): object => ({ if: { "==": [{ var: "name" }, name] } })

const READ = "demo://resource/static/document/features.md"
const BARRED = "demo://resource/static/document/startup.md"

const POLICY = policy(
  [
    on("call", "no-call", { refuse: "no" }, { args: { path: "no" } }),
    on("call", "asks", { ask: "sure?" }, { args: { path: "asks" } }),
    on("call", "hurries", { ask: { question: "now?", timeoutMs: 50 } }, { args: { path: "hurries" } }),
    on("script", "no-script", { refuse: "no" }, { if: { "==": [{ var: "code" }, "return 0"] } }),
    on("server.start", "no-start", { refuse: "no" }, { server: "barred" }),
    on("resource.read", "no-read", { refuse: "no" }, { uri: BARRED }),
    on("prompt.get", "no-prompt", { refuse: "no" }, named("completable-prompt")),
    { id: "fails", on: "call", phase: "before", run: ["false"], when: { args: { path: "no" } } },
  ],
  {
    "approvals.timeoutMs": 60_000,
    servers: {
      all: everything(),
      tells: scripted(TELLS),
      gone: { command: ["/no/such/program"] },
      barred: { command: ["true"] },
    },
  },
)

/** Speaks MCP to a daemon in a session of its own. */
async function speaking(daemon: Started) {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" }
  const message = (id: number | undefined, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params })
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }
  const begun = await daemon.send({ path: "/mcp", body: message(1, "initialize", hello), headers })
  const session = { ...headers, "mcp-session-id": String(begun.headers["mcp-session-id"]) }
  let last = 1
  return (method: string, params: object) =>
    daemon.send({ path: "/mcp", body: message(++last, method, params), headers: session })
}

it("every kind of the table is published by something real", { timeout: 60_000 }, async () => {
  const daemon = await daemonWith({ cwd: folderWith({ "p.json": POLICY }) })
  const seen = new Set<string>()
  const events = await daemon.open({ path: "/v1/events?from=0" })
  events.on("data", (chunk) => {
    for (const [, kind] of String(chunk).matchAll(/^event: (.*)$/gm)) seen.add(kind!)
  })
  const call = (server: string, tool: string, args: object) =>
    daemon.send({ path: "/v1/call", body: { server, tool, args } })
  const decide = (about: object) => daemon.send({ path: "/v1/decide", body: about })
  const answer = async () => {
    const open = async (): Promise<Loose[]> => (await daemon.send({ path: "/v1/approvals" })).body.approvals
    await expect.poll(open, { timeout: 10_000 }).not.toEqual([])
    const [{ id }] = (await open()) as [Loose]
    await daemon.send({ path: `/v1/approvals/${id}`, body: { answer: "yes" } })
  }

  await call("all", "echo", { message: "hi" })
  await call("tells", "do", { n: 1 })
  await call("gone", "x", {})
  await call("barred", "x", {})
  await call("all", "echo", { path: "no" })
  for (const code of ["return 1", "return 0", "throw new Error('x')"]) {
    await daemon.send({ path: "/v1/exec", body: { code } })
  }
  const mcp = await speaking(daemon)
  await mcp("tools/list", {})
  await mcp("tools/call", { name: "tells__do", arguments: { n: 1 }, _meta: { progressToken: "t" } })
  for (const uri of [READ, "demo://resource/dynamic/text/none", BARRED]) await mcp("resources/read", { uri })
  for (const name of ["simple-prompt", "args-prompt", "completable-prompt"])
    await mcp("prompts/get", { name: `all__${name}` })
  await decide({ on: "prompt", phase: "before", prompt: "x" })
  await decide({ on: "permission", phase: "before", server: "claude-code", tool: "Bash" })
  for (const point of ["thread", "turn", "compact", "subagent"]) await decide({ on: point, phase: "suffix" })
  await daemon.send({ path: "/v1/hook/claude-code", body: { hook_event_name: "Invented", session_id: "s" } })
  // Questions: one that is answered and used, one that nobody answers, one whose caller goes away.
  const asks = { ...EVENT, args: { path: "asks" } }
  await decide(asks)
  await answer()
  await decide(asks)
  await call("all", "echo", { path: "hurries" })
  const leaving = await daemon.open({
    path: "/v1/call",
    body: { server: "all", tool: "echo", args: { path: "asks" } },
    headers: { accept: "application/x-ndjson" },
  })
  await expect.poll(async () => (await daemon.send({ path: "/v1/approvals" })).body.approvals.length).toBeGreaterThan(0)
  leaving.destroy()
  await daemon.send({ method: "PUT", path: "/v1/settings/log.level", body: { value: "debug" } })
  await daemon.running.reload()
  const missing = () => HAPPENING_TYPES.filter((kind) => !seen.has(kind))
  await expect.poll(missing, { timeout: 10_000 }).toEqual([])
  events.destroy()
})
