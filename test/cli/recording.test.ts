import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "libsql"
import { describe, expect, it } from "vitest"
import type { AuditRow } from "../../store/audit/row.ts"
import { readAudit } from "../../store/audit/store.ts"
import { daemonWith } from "../daemon/world.ts"
import { throughGateway } from "../mcp/clients.ts"
import { everything } from "../mcp/servers.ts"
import { verify } from "../store/records.ts"
import { detent, EVENT, folderWith, lines, policy, rule } from "./capture.ts"
import { startBeside } from "./process.ts"

/** A folder with a policy that records into `records` beside it. */
function recording(more: object = {}): { readonly cwd: string; readonly folder: string } {
  const cwd = folderWith({ "e.json": EVENT })
  const folder = join(cwd, "records")
  const text = policy([rule("no", { refuse: "no" }, { when: { tool: "write_file" } })], {
    "audit.folder": folder,
    servers: { all: everything() },
    ...more,
  })
  return { cwd: folderWith({ "p.json": text, "e.json": EVENT }), folder }
}

async function rowsIn(folder: string): Promise<AuditRow[]> {
  const record = await readAudit(folder)
  const rows: AuditRow[] = []
  for await (const row of record.rows()) rows.push(row)
  await record.close()
  return rows
}

const told = (rows: readonly AuditRow[]) => rows.map(({ on, phase = "whole", outcome }) => `${on} ${phase} ${outcome}`)
const POLICY = ["--policy", "p.json"]
const DECIDE = ["decide", ...POLICY, "--event", "e.json"]

describe("where a folder is named, decisions are recorded by", () => {
  it("detent decide, with who asked", async () => {
    const { cwd, folder } = recording()
    expect((await detent([...DECIDE, "--caller", "ci"], { cwd })).code).toBe(2)
    expect(await rowsIn(folder)).toMatchObject([
      { caller: { id: "ci" }, on: "call", phase: "before", outcome: "refuse", refusal: { hook: "no" } },
    ])
  })

  it("detent hook, each moment that it fires", async () => {
    const { cwd, folder } = recording()
    const stdin = JSON.stringify({
      session_id: "s",
      transcript_path: "/t.jsonl",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    })
    expect((await detent(["hook", "claude-code", ...POLICY], { cwd, stdin })).code).toBe(0)
    expect(await rowsIn(folder)).toMatchObject([
      { caller: { id: "claude-code" }, on: "call", phase: "before", session: "s", tool: "Bash", outcome: "continue" },
    ])
  })

  it("detent call, that it may be sent and what came of it", async () => {
    const { cwd, folder } = recording()
    expect((await detent(["call", ...POLICY, "all/echo", '{"message":"hi"}'], { cwd })).out).toContain("Echo: hi")
    expect(told(await rowsIn(folder)).slice(-2)).toEqual(["call before continue", "call whole continue"])
  })

  it("detent exec, with the calls of its script", async () => {
    const { cwd, folder } = recording()
    await startBeside(["exec", ...POLICY, "return call('all/echo', { message: 'hi' })"], { cwd })
    const rows = told(await rowsIn(folder))
    expect(rows).toContain("script before continue")
    expect(rows).toContain("call whole continue")
    expect(rows.at(-1)).toBe("script whole continue")
  })

  it("detent hook vix", async () => {
    const { cwd, folder } = recording()
    const stdin = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "bash", tool_input: { command: "ls" } })
    await detent(["hook", "vix", ...POLICY, "--dir", "none"], { cwd, stdin })
    expect(told(await rowsIn(folder))).toEqual(["call before continue"])
  })

  it("the gateway, its listings and its calls", { timeout: 30_000 }, async () => {
    const folder = join(folderWith(), "records")
    const { client } = await throughGateway({ servers: { all: everything() }, "audit.folder": folder })
    await client.listTools()
    await client.callTool({ name: "all__echo", arguments: { message: "hi" } })
    const rows = told(await rowsIn(folder))
    expect(rows).toContain("server.start whole continue")
    expect(rows).toContain("tools.list onSuccess continue")
    expect(rows.slice(-2)).toEqual(["call before continue", "call whole continue"])
    await client.close()
    expect((await verify(folder)).ok).toBe(true)
  })
})

it("where none is named, one-shot commands record nothing and make nothing", async () => {
  const cwd = folderWith({ "p.json": policy([]), "e.json": EVENT })
  expect((await detent(DECIDE, { cwd })).code).toBe(0)
  expect(existsSync(join(cwd, "home", ".local", "state"))).toBe(false)
})

it("a trial of one hook is no decision, and is not recorded", async () => {
  const { cwd, folder } = recording()
  await detent(["hook", "test", "no", ...POLICY, "--event", "e.json"], { cwd })
  expect(existsSync(folder)).toBe(false)
})

it("the variable names a folder too, and fields that are not stored", async () => {
  const cwd = folderWith({ "p.json": policy([]), "e.json": EVENT })
  const env = { DETENT_AUDIT_FOLDER: "~/records" }
  await detent([...DECIDE, "--audit-redact", "input.text"], { cwd, env })
  expect(await rowsIn(join(cwd, "home", "records"))).toMatchObject([{ input: { path: "a.txt", text: { bytes: 3 } } }])
  expect(lines((await detent(["audit", "list"], { cwd, env })).out)).toHaveLength(1)
})

describe("a folder that cannot be written", () => {
  const broken = (more: object = {}) => {
    const cwd = folderWith({ file: "" })
    return folderWith({ "p.json": policy([], { "audit.folder": join(cwd, "file", "x"), ...more }), "e.json": EVENT })
  }

  it("is an error, and an agent's event is refused", async () => {
    const cwd = broken()
    expect(await detent(DECIDE, { cwd })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/must be there/),
    })
    const stdin = JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} })
    const { out } = await detent(["hook", "claude-code", ...POLICY], { cwd, stdin })
    expect(out).toContain('"permissionDecision":"deny"')
  })

  it("goes on where `audit.required` is false, and says so", async () => {
    const { code, err } = await detent(DECIDE, { cwd: broken({ "audit.required": false }) })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/decisions are not recorded, and go on/) })
  })
})

it("a record that another process holds for too long refuses what has to be recorded", {
  timeout: 30_000,
}, async () => {
  const { cwd, folder } = recording()
  await detent(DECIDE, { cwd })
  const holder = new Sqlite(join(folder, "audit.db"))
  holder.exec("BEGIN IMMEDIATE")
  const { code, err } = await detent([...DECIDE, "--caller", "ci"], { cwd })
  holder.exec("ROLLBACK")
  holder.close()
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/is locked by another process: a decision was not recorded, and was refused/),
  })
})

it("a daemon and commands that write one record write one chain", { timeout: 30_000 }, async () => {
  const { cwd, folder } = recording()
  const daemon = await daemonWith({ cwd })
  const all = Array.from({ length: 8 }, (_, at) => [
    daemon.decide(EVENT).then(({ body }) => body.outcome),
    startBeside([...DECIDE, "--caller", `c${at}`], { cwd }).then(({ code }) => code),
  ]).flat()
  expect(new Set(await Promise.all(all))).toEqual(new Set(["refuse", 2]))
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 16, last: 16 })
  expect(readdirSync(daemon.folder).filter((name) => name.startsWith("audit"))).toEqual([])
})
