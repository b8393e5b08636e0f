import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe, expect, it, vi } from "vitest"
import type { ServerEntry } from "../../policy/policy.ts"
import { BIN } from "./clients.ts"
import { Driver, type Kind } from "./replay/driver.ts"
import { ground, type Run, replay } from "./replay/run.ts"
import { EVERYTHING, FILESYSTEM, FIXTURE, MEMORY, OF_SESSIONS, UNKNOWN } from "./replay/table.ts"
import { BARE, endAll, WAYS } from "./replay/ways.ts"
import { everything, filesystem, httpServer, memory } from "./servers.ts"

// Many processes, one after another: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 })
afterAll(endAll)

const fixture = (): ServerEntry => ({
  command: [
    process.execPath,
    fileURLToPath(new URL("../../fixtures/servers/conformance.mjs", import.meta.url)),
    "--stdio",
  ],
})

const SERVERS = {
  filesystem: { entryIn: filesystem, requests: FILESYSTEM },
  memory: {
    entryIn: (folder: string) => ({ ...memory(), env: { MEMORY_FILE_PATH: join(folder, "memory.json") } }),
    requests: MEMORY,
  },
  everything: { entryIn: everything, requests: EVERYTHING, roots: true },
  fixture: { entryIn: fixture, requests: FIXTURE, roots: true },
  sessions: { entryIn: fixture, requests: OF_SESSIONS },
} as const satisfies Record<string, Omit<Run, "kind" | "way">>

/** Bare, each server is asked once by each kind of client. */
const asked = new Map<string, Promise<readonly string[]>>()
function bare(name: keyof typeof SERVERS, kind: Kind): Promise<readonly string[]> {
  const key = `${name} ${kind}`
  const known = asked.get(key) ?? replay({ ...SERVERS[name], kind, way: BARE })
  asked.set(key, known)
  return known
}

/** The lines that differ, of two that tell of the same requests. */
function differing(bare: readonly string[], behind: readonly string[]): object[] {
  expect(behind).toHaveLength(bare.length)
  return behind.flatMap((line, at) => (line === bare[at] ? [] : [{ bare: bare[at], behind: line }]))
}

describe("a server behind the gateway answers as it does bare", () => {
  it.each<[server: keyof typeof SERVERS, kind: Kind, way: keyof typeof WAYS]>([
    ["filesystem", "2.x legacy", "over stdio, in its place"],
    ["filesystem", "1.x", "over HTTP, in its place"],
    ["memory", "1.x", "over stdio, in its place"],
    ["memory", "2.x legacy", "over HTTP, in its place"],
    ["everything", "2.x legacy", "over stdio, in its place"],
    ["everything", "2.x legacy", "over HTTP, in its place"],
    ["everything", "1.x", "over stdio, in its place"],
    ["everything", "1.x", "over HTTP, in its place"],
    ["fixture", "2.x legacy", "over stdio, in its place"],
    ["fixture", "2.x modern", "over stdio, in its place"],
    ["fixture", "2.x modern", "over HTTP, in its place"],
    ["sessions", "2.x legacy", "over stdio, in its place"],
    ["sessions", "1.x", "over stdio, in its place"],
  ])("%s, asked by a client of %s %s", async (server, kind, way) => {
    const behind = await replay({ ...SERVERS[server], kind, way: WAYS[way] })
    expect(differing(await bare(server, kind), behind)).toEqual([])
  })

  it("everything, among others: but for names, and for what nobody has", async () => {
    const behind = await replay({ ...SERVERS.everything, kind: "2.x legacy", way: WAYS["over stdio, as one of many"] })
    const unknown = new Set(UNKNOWN.map(([method, params]) => `${method} ${JSON.stringify(params)}`))
    const of = (line: string): string => line.slice(0, line.indexOf(': {"answer"'))
    const others = differing(await bare("everything", "2.x legacy"), behind) as { behind: string }[]
    expect(others.map(({ behind }) => of(behind))).toEqual(behind.map(of).filter((line) => unknown.has(line)))
    for (const { behind } of others) expect(behind).toMatch(/"code":-32602,"message":"(there is no|no server here has)/)
  })

  it.each(["over stdio, in its place", "over HTTP, in its place"] as const)(
    "everything, a server of the older revision, for a client of the newer %s: but for what only that says",
    async (way) => {
      const behind = await replay({ ...SERVERS.everything, kind: "2.x modern", way: WAYS[way] })
      const newer = behind.map((line) =>
        line.replaceAll(/,"resultType":"complete"|,"ttlMs":0|,"cacheScope":"private"/g, ""),
      )
      const older = (await bare("everything", "2.x legacy")).map((line) =>
        line.replaceAll(/,"execution":\{"taskSupport":"[a-z]+"\}/g, "").replace('"elicitationId":"one","url"', '"url"'),
      )
      expect(differing(older, newer)).toEqual([])
    },
  )

  it("everything, a server over HTTP, for a client over stdio", async () => {
    const { url, close } = await httpServer(() => {})
    try {
      const run = { ...SERVERS.everything, entryIn: () => ({ url }), kind: "2.x legacy" } as const
      const alone = await replay({ ...run, way: BARE })
      expect(differing(alone, await replay({ ...run, way: WAYS["over stdio, in its place"] }))).toEqual([])
    } finally {
      await close()
    }
  })

  it("and is heard in all that it says on its way", async () => {
    const lines = [...(await bare("fixture", "2.x legacy")), ...(await bare("sessions", "2.x legacy"))].join("\n")
    for (const heard of ["progress", "message", "resources/updated"])
      expect(lines).toContain(`"notifications/${heard}"`)
    for (const asked of ["sampling/createMessage", "elicitation/create"]) expect(lines).toContain(`"${asked}"`)
  })
})

describe("a server behind the gateway", () => {
  it.each<[kind: Kind, way: keyof typeof WAYS]>([
    ["2.x legacy", "over stdio, in its place"],
    ["1.x", "over HTTP, in its place"],
  ])("hears of what a client of %s cancels %s", async (kind, way) => {
    const driver = await Driver.connect(kind, await WAYS[way].transport(kind, fixture()), false)
    await driver.request("resources/subscribe", { uri: "test://cancelled" })
    const cancel = new AbortController()
    const call = driver.request("tools/call", { name: "test_wait", arguments: {} }, cancel.signal)
    setTimeout(() => cancel.abort(), 200)
    // The server says that it is cancelled by updating a resource: a client that has given up gets no answer.
    expect((await call).answer).toHaveProperty("failed")
    expect(await driver.hears("notifications/resources/updated")).toMatchObject({ params: { uri: "test://cancelled" } })
    await driver.close()
  })
})

describe("the inspector's command line", () => {
  const CLI = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli/build/cli.js")
  const folder = ground()
  const policy = join(folder, "detent.json")
  writeFileSync(policy, JSON.stringify({ version: 1, servers: { everything: everything() } }))
  const [command, ...args] = everything().command ?? []
  const mcpServers = {
    bare: { command, args },
    gateway: { command: process.execPath, args: [BIN, "mcp", "--policy", policy, "--server", "everything"] },
  }
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }))

  const shown = async (server: keyof typeof mcpServers, ...words: string[]): Promise<string> => {
    const argv = [CLI, "--cli", "--config", join(folder, "mcp.json"), "--server", server, "--method", ...words]
    return (await promisify(execFile)(process.execPath, argv, { cwd: folder })).stdout
  }

  it.each([
    ["tools/list"],
    ["tools/call", "--tool-name", "get-structured-content", "--tool-arg", "location=Chicago"],
    ["resources/read", "--uri", "demo://resource/static/document/features.md"],
    ["prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Oslo"],
  ])("shows the same of %s", async (...words) => {
    const [alone, behind] = await Promise.all([shown("bare", ...words), shown("gateway", ...words)])
    expect(behind).toBe(alone)
    expect(alone.length).toBeGreaterThan(50)
  })
})
