import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { type ClientChoice, type Mode, throughGateway } from "./clients.ts"
import { everything, filesystem, memory, scripted } from "./servers.ts"

const open: Client[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

async function gateway(policy: JsonObject, choice?: ClientChoice) {
  const driven = await throughGateway(policy, choice)
  open.push(driven.client)
  return driven
}

/** A folder of its own with one file, behind the reference server. */
function files() {
  const folder = mkdtempSync(join(tmpdir(), "detent-files-"))
  writeFileSync(join(folder, "a.txt"), "hello")
  return { folder, server: filesystem(folder), file: (name: string) => join(folder, name) }
}

const hook = (id: string, rest: JsonObject): JsonObject => ({ id, on: "call", phase: "before", effect: "ask", ...rest })
const texts = (result: JsonObject) => (result.content as { text: string }[]).map(({ text }) => text)

const MODES: readonly Mode[] = ["legacy", "auto"]

describe.each(MODES)("a client that begins with %s", (mode) => {
  it("lists the tools of all servers under names of their own, and calls them", async () => {
    const { server, file } = files()
    const { client } = await gateway({ servers: { fs: server, mem: memory() } }, { mode })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["fs__read_text_file", "mem__create_entities", "detent_call"]))
    const read = await client.callTool({ name: "fs__read_text_file", arguments: { path: file("a.txt") } })
    expect(texts(read)).toEqual(["hello"])
    const own = { tool: "fs/read_text_file", arguments: { path: file("a.txt") } }
    expect(texts(await client.callTool({ name: "detent_call", arguments: own }))).toEqual(["hello"])
  })

  it("gets a refusal as a result with its reason and code, and nothing is done", async () => {
    const { server, file } = files()
    const { client, stderr } = await gateway(
      {
        servers: { fs: server },
        hooks: [
          hook("frozen", {
            when: { kind: "write" },
            rule: { refuse: { reason: "frozen until Monday", code: "freeze" } },
          }),
        ],
      },
      { mode },
    )
    const refused = await client.callTool({ name: "fs__write_file", arguments: { path: file("b.txt"), content: "x" } })
    expect(refused).toMatchObject({
      isError: true,
      _meta: { "detent/refusal": { hook: "frozen", reason: "frozen until Monday", code: "freeze" } },
    })
    expect(texts(refused)).toEqual(["Refused by the hook `frozen`: frozen until Monday (freeze)"])
    expect(existsSync(file("b.txt"))).toBe(false)
    expect(stderr()).toContain("frozen until Monday")
  })

  it("is asked by elicitation, and its yes and no count", async () => {
    const { server, file } = files()
    const asked: string[] = []
    const driven = await gateway(
      { servers: { fs: server }, hooks: [hook("sure", { when: { kind: "write" }, rule: { ask: "Write it?" } })] },
      { mode, capabilities: { elicitation: { form: {} } } },
    )
    let answer = "yes"
    driven.client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message)
      return { action: "accept", content: { q1: answer } }
    })
    const write = () =>
      driven.client.callTool({ name: "fs__write_file", arguments: { path: file("b.txt"), content: "x" } })
    expect((await write()).isError).toBeFalsy()
    expect(readFileSync(file("b.txt"), "utf8")).toBe("x")
    answer = "no"
    expect(await write()).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "denied" } } })
    expect(asked).toEqual(["Write it? (asked by sure)", "Write it? (asked by sure)"])
  })

  it("that can show no form is refused what a hook asks", async () => {
    const { server, file } = files()
    const { client } = await gateway(
      { servers: { fs: server }, hooks: [hook("sure", { when: { kind: "write" }, rule: { ask: "Write it?" } })] },
      { mode },
    )
    const refused = await client.callTool({ name: "fs__write_file", arguments: { path: file("b.txt"), content: "x" } })
    expect(refused).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "unanswered" } } })
    expect(existsSync(file("b.txt"))).toBe(false)
  })

  it("answers what a server asks in the middle of a call", async () => {
    const { client } = await gateway({ servers: { ev: everything() } }, { mode, capabilities: { sampling: {} } })
    client.setRequestHandler("sampling/createMessage", async () => ({
      model: "m",
      role: "assistant" as const,
      content: { type: "text" as const, text: "sampled here" },
    }))
    const sampled = await client.callTool({
      name: "ev__trigger-sampling-request",
      arguments: { prompt: "x", maxTokens: 9 },
    })
    expect(texts(sampled).join()).toContain("sampled here")
  })

  it("has its prompts, resources, templates and completions", async () => {
    const { client } = await gateway({ servers: { ev: everything() } }, { mode })
    const prompts = (await client.listPrompts()).prompts.map(({ name }) => name)
    expect(prompts).toContain("ev__args-prompt")
    const prompt = await client.getPrompt({ name: "ev__args-prompt", arguments: { city: "Oslo" } })
    expect(JSON.stringify(prompt.messages)).toContain("Oslo")
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0)
    const read = await client.readResource({ uri: "demo://resource/dynamic/text/1" })
    expect(JSON.stringify(read.contents)).toContain("Resource 1")
    const ref = { type: "ref/prompt" as const, name: "ev__completable-prompt" }
    const { completion } = await client.complete({ ref, argument: { name: "department", value: "E" } })
    expect(completion.values).toEqual(["Engineering"])
  })
})

describe("the gateway", () => {
  it("stands in for one server under its own names", async () => {
    const { server, file } = files()
    const { client } = await gateway({ servers: { fs: server, mem: memory() } }, { words: ["--server", "fs"] })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain("read_text_file")
    expect(names).not.toContain("detent_call")
    expect(texts(await client.callTool({ name: "read_text_file", arguments: { path: file("a.txt") } }))).toEqual([
      "hello",
    ])
  })

  it("adds advice to what a model reads, and leaves the server's own part as it is", async () => {
    const { server, file } = files()
    const advise = hook("careful", { phase: "onSuccess", effect: "advise", rule: { advise: "this is old" } })
    const { client } = await gateway({ servers: { fs: server }, hooks: [advise] })
    const read = await client.callTool({ name: "fs__read_text_file", arguments: { path: file("a.txt") } })
    expect(texts(read)).toEqual(["hello", "Advice of the hook `careful`: this is old"])
    expect(read.structuredContent).toEqual({ content: "hello" })
  })

  it("asks before a destructive call where the policy says so, by the server's own annotations", async () => {
    const { server, file } = files()
    const policy = { servers: { fs: server }, "elicit.confirmDestructive": true }
    const driven = await gateway(policy, { capabilities: { elicitation: { form: {} } } })
    const asked: string[] = []
    driven.client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message)
      return { action: "decline" }
    })
    await driven.client.callTool({ name: "fs__read_text_file", arguments: { path: file("a.txt") } })
    const write = await driven.client.callTool({
      name: "fs__write_file",
      arguments: { path: file("b.txt"), content: "x" },
    })
    expect(asked).toEqual(["`fs/write_file` may destroy something: go on? (asked by elicit.confirmDestructive)"])
    expect(write).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "denied" } } })
    expect(existsSync(file("b.txt"))).toBe(false)
  })

  it("runs code only where the operator gives it out, and its calls pass the gate", async () => {
    const { server, file } = files()
    const policy = {
      servers: { fs: server },
      hooks: [hook("frozen", { when: { kind: "write" }, rule: { refuse: "frozen" } })],
    }
    const without = await gateway(policy)
    expect((await without.client.listTools()).tools.map(({ name }) => name)).not.toContain("detent_exec")
    const { client } = await gateway({ ...policy, "mcp.exec": true })
    const code = `const read = await call("fs/read_text_file", { path: ${JSON.stringify(file("a.txt"))} })
      await call("fs/write_file", { path: ${JSON.stringify(file("b.txt"))}, content: "x" }).catch((why) => log.info(why.message))
      return read`
    const ran = await client.callTool({ name: "detent_exec", arguments: { code } })
    expect(texts(ran).at(-1)).toBe('{"content":"hello"}')
    expect(texts(ran)[0]).toContain("frozen")
    expect(existsSync(file("b.txt"))).toBe(false)
  })

  it("lets hooks on a listing drop and annotate tools, and on a start refuse a server", async () => {
    const { server } = files()
    const { client, stderr } = await gateway({
      servers: { fs: server, mem: memory() },
      hooks: [
        {
          id: "no-mem",
          on: "server.start",
          phase: "before",
          when: { server: "mem" },
          rule: { refuse: "not today" },
          effect: "ask",
        },
        {
          id: "one-only",
          on: "tools.list",
          phase: "onSuccess",
          effect: "apply",
          rule: {
            apply: {
              merge: {
                tools: {
                  logic: { filter: [{ var: "result.tools" }, { "==": [{ var: "name" }, "read_text_file"] }] },
                },
              },
            },
          },
        },
      ],
    })
    const listing = await client.listTools()
    expect(listing.tools.map(({ name }) => name)).toEqual(["fs__read_text_file", "detent_call"])
    expect(JSON.stringify(listing._meta)).toContain("not today")
    expect(stderr()).toContain("not today")
  })

  it("lets hooks on resources and prompts refuse, as errors with the reason", async () => {
    const { client } = await gateway({
      servers: { ev: everything() },
      hooks: [
        {
          id: "no-res",
          on: "resource.read",
          phase: "before",
          when: { uri: "demo://**" },
          rule: { refuse: "secret" },
          effect: "ask",
        },
        { id: "no-prompt", on: "prompt.get", phase: "before", rule: { refuse: "no @name" }, effect: "ask" },
      ],
    })
    await expect(client.readResource({ uri: "demo://resource/dynamic/text/1" })).rejects.toMatchObject({
      code: -32602,
      data: { "detent/refusal": { hook: "no-res", reason: "secret" } },
    })
    await expect(client.getPrompt({ name: "ev__simple-prompt" })).rejects.toThrow('no "simple-prompt"')
  })

  it("gives a crash its server's name and exit code, and starts it anew for the next call", async () => {
    const marks = join(mkdtempSync(join(tmpdir(), "detent-marks-")), "ledger")
    writeFileSync(marks, "")
    const source = `const { appendFileSync, readFileSync } = await import("node:fs")
      appendFileSync(args[0], "x")
      if (readFileSync(args[0], "utf8").length === 1) process.exit(3)
      text("again")`
    const { client } = await gateway({ servers: { s: scripted(source, marks) } })
    const name = (await client.listTools()).tools[0]!.name
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/`s`.*exit code 3/)
    expect(readFileSync(marks, "utf8")).toBe("x")
    expect(texts(await client.callTool({ name, arguments: {} }))).toEqual(["again"])
  })

  it("takes a call back when its client cancels it", async () => {
    const { client } = await gateway({ servers: { ev: everything() } })
    await client.listTools()
    const cancel = new AbortController()
    const call = client.callTool(
      { name: "ev__trigger-long-running-operation", arguments: { duration: 30, steps: 30 } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    )
    await expect(call).rejects.toThrow()
    expect(texts(await client.callTool({ name: "ev__echo", arguments: { message: "alive" } }))).toEqual(["Echo: alive"])
  })

  it("writes every frame to the file that is named", async () => {
    const { server, file } = files()
    const { client, folder } = await gateway({ servers: { fs: server } }, { words: ["--frames", "frames.ndjson"] })
    await client.callTool({ name: "fs__read_text_file", arguments: { path: file("a.txt") } })
    const frames = readFileSync(join(folder, "frames.ndjson"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type)
    expect(frames.slice(-4)).toEqual(["start", "call", "result", "end"])
  })

  it("tells its client when the tools of a server have changed", async () => {
    const { client } = await gateway(
      { servers: { ev: everything() } },
      { capabilities: { roots: { listChanged: true } } },
    )
    let told = 0
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      told++
    })
    client.setRequestHandler("roots/list", async () => ({ roots: [{ uri: "file:///x" }] }))
    mkdirSync(join(tmpdir(), "detent-none"), { recursive: true })
    await client.listTools()
    await expect.poll(() => told, { timeout: 5000 }).toBeGreaterThan(0)
  })
})
