import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { start } from "../cli/process.ts"
import { type Message, RawClient } from "./raw.ts"
import { scripted, stub } from "./servers.ts"

vi.setConfig({ testTimeout: 60_000 })

const open: RawClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

async function gateway(policy: JsonObject, ...words: string[]): Promise<RawClient> {
  const client = await RawClient.start(policy, words)
  open.push(client)
  return client
}

const folder = (): string => mkdtempSync(join(tmpdir(), "detent-faults-"))

/** `detent call` with the same policy. */
function called(policy: JsonObject, tool: string, args: JsonObject = {}) {
  const cwd = folder()
  writeFileSync(join(cwd, "detent.json"), JSON.stringify({ version: 1, ...policy }))
  return start(["call", "--policy", "detent.json", "--format", "text", tool, JSON.stringify(args)], { cwd })
}

const guard = (id: string, when: JsonObject, rule: JsonObject, more: JsonObject = {}): JsonObject => ({
  id,
  on: "call",
  phase: "before",
  effect: "ask",
  when,
  rule,
  ...more,
})

const textOf = ({ result }: Message): string => (result?.content ?? []).map(({ text }) => text).join("\n")
const namesOf = ({ result = {} }: Message): string[] => (result.tools as { name: string }[]).map(({ name }) => name)

describe("a server with 101 tools in three pages", () => {
  const policy = (manner: string): JsonObject => ({
    servers: { s: stub("paged", manner) },
    hooks: [
      guard("last", { tool: "tool-101" }, { refuse: "not the last" }),
      {
        id: "count",
        on: "tools.list",
        phase: "onSuccess",
        rule: { advise: "the last is @result.tools.100.name" },
      },
    ],
  })

  it.each(["whole", "empty", "null"])("is listed to its end, and hooks see all of it (%s)", async (manner) => {
    const client = await gateway(policy(manner), "--server", "s")
    const listing = await client.request("tools/list")
    expect(namesOf(listing)).toEqual(Array.from({ length: 101 }, (_, at) => `tool-${at + 1}`))
    expect(JSON.stringify(listing.result?._meta)).toContain('the last is \\"tool-101\\"')
    expect(textOf(await client.call("tool-100"))).toBe("tool-100")
    expect(textOf(await client.call("tool-101"))).toContain("not the last")
  })

  it.each([
    ["broken", "page two is lost"],
    ["endless", "has no end"],
    ["none", "lists `tools` that are none"],
    ["nameless", "lists `tools` that are none"],
  ])("fails to be listed where a page is %s, and is not listed short", async (manner, why) => {
    for (const words of [["--server", "s"], []]) {
      const client = await gateway(policy(manner), ...words)
      expect(await client.request("tools/list")).toMatchObject({ error: { message: expect.stringContaining(why) } })
    }
  })

  it("is called from the command line by any of its tools, the guarded one too", () => {
    expect(called(policy("whole"), "s/tool-100")).toMatchObject({ code: 0, out: "tool-100\n" })
    expect(called(policy("whole"), "s/tool-101")).toMatchObject({
      code: 2,
      err: expect.stringContaining("not the last"),
    })
    // What is not known of a tool is no reason not to call it.
    expect(called(policy("broken"), "s/tool-1")).toMatchObject({ code: 0, out: "tool-1\n" })
  })
})

describe("news of progress", () => {
  const policy = {
    servers: { s: stub("progress") },
    hooks: [
      guard("rewrite", { args: { n: "rewritten" } }, { apply: { merge: { n: "new" } } }, { effect: "apply" }),
      guard(
        "meta",
        { args: { n: "meta" } },
        { apply: { input: { n: "x" }, meta: { own: true } } },
        { effect: "apply" },
      ),
    ],
  }
  const notes = ({ said }: RawClient) => said.filter(({ method }) => method === "notifications/progress")

  it("comes under the token that the client gave, in its value and its type, and under none where it gave none", async () => {
    const client = await gateway(policy, "--server", "s")
    const tokens = [0, "0", undefined, 7] as const
    const answers = await Promise.all(
      tokens.map((progressToken) =>
        client.call(
          "steps",
          { n: "rewritten" },
          progressToken === undefined ? {} : { _meta: { progressToken, kept: 1 } },
        ),
      ),
    )
    for (const token of [0, "0", 7]) {
      const own = notes(client).filter(({ params }) => params?.progressToken === token)
      expect(own.map(({ params }) => params?.progress)).toEqual([1, 2, 3])
    }
    expect(notes(client)).toHaveLength(9)
    // A hook that has changed the arguments has left the rest of the call alone; the token on the way is our own.
    const seen = answers.map((answer) => JSON.parse(textOf(answer)) as { args: object; meta: JsonObject | null })
    expect(seen.map(({ args }) => args)).toEqual(tokens.map(() => ({ n: "new" })))
    expect(seen.map(({ meta }) => meta?.kept)).toEqual([1, 1, undefined, 1])
    expect(seen[2]?.meta).toBeNull()
  })

  it("ends before the answer, and what a server says later or makes up reaches nobody", async () => {
    const client = await gateway(policy, "--server", "s")
    const answer = await client.call("steps", {}, { _meta: { progressToken: 1 } })
    expect(client.said.indexOf(answer)).toBe(client.said.length - 1)
    await client.call("late", {}, { _meta: { progressToken: 2 } })
    await client.call("steps")
    expect(notes(client).map(({ params }) => params?.progressToken)).toEqual([1, 1, 1])
  })

  it("still comes where a hook has given the call a `_meta` of its own", async () => {
    const client = await gateway(policy, "--server", "s")
    const answer = await client.call("steps", { n: "meta" }, { _meta: { progressToken: "t", kept: 1 } })
    expect(JSON.parse(textOf(answer)).meta).toMatchObject({ own: true })
    expect(JSON.parse(textOf(answer)).meta).not.toHaveProperty("kept")
    expect(notes(client)).toHaveLength(3)
  })

  it("is no trouble for a call from the command line that wants none", () => {
    const { code, out } = called(policy, "s/steps", { n: "rewritten" })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ args: { n: "new" } })
  })
})

describe("a result in two forms of which a hook rewrites the text", () => {
  const policy = {
    servers: { s: stub("forms") },
    hooks: [
      {
        id: "mask",
        on: "call",
        phase: "onSuccess",
        effect: "apply",
        when: { tool: ["key", "free"] },
        rule: { apply: { merge: { content: [{ type: "text", text: "key=***" }] } } },
        redact: true,
      },
    ],
  }

  it("loses the old structure with it, and is withheld where the tool promises one", async () => {
    const client = await gateway(policy, "--server", "s", "--frames", "frames.ndjson")
    const free = await client.call("free")
    expect(free.result).toEqual({ content: [{ type: "text", text: "key=***" }] })
    const key = await client.call("key")
    expect(key.result).toMatchObject({ isError: true })
    expect(textOf(key)).toMatch(/withheld.*output schema/)
    const all = JSON.stringify(client.said) + client.stderr + readFileSync(join(client.folder, "frames.ndjson"), "utf8")
    expect(all).not.toContain("SECRET1")
  })

  it("of a failed tool goes out without a structure that breaks the promise", async () => {
    const client = await gateway(policy, "--server", "s")
    expect((await client.call("failing")).result).toEqual({
      content: [{ type: "text", text: "no key today" }],
      isError: true,
    })
  })

  it("is so from the command line too", () => {
    expect(called(policy, "s/free")).toMatchObject({ code: 0, out: "key=***\n" })
    const key = called(policy, "s/key")
    expect(key.out + key.err).toContain("withheld")
    expect(key.out + key.err).not.toContain("SECRET1")
    expect(called(policy, "s/failing")).toMatchObject({ code: 1, err: expect.stringContaining("no key today") })
  })
})

describe("a line that is not one message", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "danger", arguments: {} } }

  it.each([
    ["a list of one call", JSON.stringify([call])],
    ["an empty list after blanks", "  []"],
    ["a list in a list", JSON.stringify([[call]])],
    ["a method that is a list", JSON.stringify({ ...call, method: ["tools/call"] })],
    ["a method that is a number", JSON.stringify({ ...call, method: 1 })],
    ["an id that is an object", JSON.stringify({ ...call, id: {} })],
    ["another version", JSON.stringify({ ...call, jsonrpc: "1.0" })],
  ])("%s is answered with -32600 and no id, and is looked at by nobody else", async (_, line) => {
    const ledger = join(folder(), "ledger")
    writeFileSync(ledger, "")
    const client = await gateway(
      { servers: { s: stub("one", "danger", "done", ledger) } },
      "--server",
      "s",
      "--frames",
      "frames.ndjson",
    )
    client.write(line)
    expect(await client.until(({ id }) => id === null)).toMatchObject({ error: { code: -32600 } })
    expect(await client.request("ping")).toMatchObject({ result: {} })
    expect(readFileSync(ledger, "utf8")).toBe("")
    expect(readFileSync(join(client.folder, "frames.ndjson"), "utf8")).not.toContain('"call"')
    expect(client.stderr.match(/a message is refused/g)).toHaveLength(1)
  })
})

describe("a server that dies in the middle of a call", () => {
  const servers = (ledger: string, other: string) => ({ s: stub("deadly", ledger), other: stub("deadly", other) })
  const watch = { id: "watch", on: "call", phase: "onError", rule: { advise: "it is lost: @error.code" } }

  it("ends the call with its name and its code, once; others go on, and the next call finds it alive", async () => {
    const [ledger, other] = [join(folder(), "ledger"), join(folder(), "other")]
    const policy = { servers: servers(ledger, other), hooks: [watch] }
    const client = await gateway(policy, "--frames", "frames.ndjson")
    const slow = client.call("other__slow")
    const died = await client.call("s__die")
    expect(died.error?.message).toMatch(/`s` was lost: it ended with exit code 3/)
    expect(JSON.stringify(died.error?.data)).toContain("unavailable")
    expect(readFileSync(ledger, "utf8")).toBe("die\n")
    expect(textOf(await slow)).toBe("slow")
    expect(textOf(await client.call("s__ok"))).toBe("ok")
    expect(readFileSync(ledger, "utf8")).toBe("die\nok\n")
    const frames = readFileSync(join(client.folder, "frames.ndjson"), "utf8").trim().split("\n")
    expect(frames.map((line) => JSON.parse(line)).filter(({ hook }) => hook === "watch")).toHaveLength(1)
  })

  it("is an error of the command line with the same words, and nothing is sent twice", () => {
    const ledger = join(folder(), "ledger")
    const ran = called({ servers: servers(ledger, ledger), hooks: [watch] }, "s/die")
    expect(ran).toMatchObject({ code: 1, out: "" })
    expect(ran.err).toMatch(/unavailable: the server `s` was lost: it ended with exit code 3/)
    expect(readFileSync(ledger, "utf8")).toBe("die\n")
  })

  it("or never ends its handshake, is given up after its time", async () => {
    const policy = { servers: { s: { ...scripted("silent"), startMs: 300 }, ok: stub("one", "ok", "fine") } }
    const client = await gateway(policy)
    const listing = await client.request("tools/list")
    expect(namesOf(listing)).toEqual(["ok__ok", "detent_call"])
    expect(JSON.stringify(listing.result?._meta)).toMatch(/`s` did not start: not ready in 300 ms/)
    expect(called(policy, "s/do")).toMatchObject({ code: 1, err: expect.stringMatching(/`s` did not start/) })
  })
})

describe("a server that knows nothing of the newer revision", () => {
  it.each(["silent", "dies"])("and %s when it is asked for it is found out, once, and serves", async (manner) => {
    const ledger = join(folder(), "ledger")
    const policy = { servers: { s: { ...stub("shy", manner, ledger), startMs: 2000 } } }
    const client = await gateway(policy, "--server", "s")
    expect(textOf(await client.call("asked", { leave: true }))).toBe("x")
    await vi.waitUntil(async () => textOf(await client.call("asked")) === "x", { timeout: 10_000 })
    expect(called(policy, "s/asked")).toMatchObject({ code: 0, out: "xx\n" })
  })
})

describe("names that could be read in two ways", () => {
  const pairs = [
    ["acme_", "status"],
    ["acme", "_status"],
    ["my__server", "tool"],
  ] as const

  it.each([
    ["in one order", pairs],
    ["in the other", [...pairs].reverse()],
  ])("are each a pair's own, and hooks go by the pair (%s)", async (_, order) => {
    const servers = Object.fromEntries(order.map(([server, tool]) => [server, stub("one", tool, `of ${server}`)]))
    const client = await gateway({ servers, hooks: [guard("acme", { server: "acme" }, { refuse: "not acme" })] })
    const names = namesOf(await client.request("tools/list")).filter((name) => name !== "detent_call")
    expect(new Set(names).size).toBe(3)
    const answers = await Promise.all(names.map(async (name) => textOf(await client.call(name))))
    expect(answers.sort()).toEqual(["Refused by the hook `acme`: not acme", "of acme_", "of my__server"])
    // The name that both would have is nobody's.
    expect(await client.call("acme___status")).toMatchObject({ error: { code: -32602 } })
  })
})

describe("a call that a call has caused", () => {
  it("meets the same guards, from a script and from a hook", async () => {
    const ledger = join(folder(), "ledger")
    writeFileSync(ledger, "")
    const policy = {
      "mcp.exec": true,
      servers: { agent: stub("one", "spawn", "spawned"), sql: stub("one", "query", "rows", ledger) },
      hooks: [
        guard("no-sql", { server: "sql" }, { refuse: "no SQL here" }),
        {
          id: "delegate",
          on: "call",
          phase: "onSuccess",
          effect: "run",
          when: { server: "agent" },
          rule: { run: { call: { tool: "sql/query", args: { by: "hook" } } } },
          may: ["sql/query"],
        },
      ],
    }
    const client = await gateway(policy, "--frames", "frames.ndjson")
    const code = `await call("sql/query", { by: "script" }).catch((why) => log.info(why.message)); return call("agent/spawn", {})`
    expect(textOf(await client.call("detent_exec", { code }))).toContain("no SQL here")
    expect(readFileSync(ledger, "utf8")).toBe("")
    const frames = readFileSync(join(client.folder, "frames.ndjson"), "utf8").trim().split("\n")
    const refused = frames.map((line) => JSON.parse(line)).filter(({ hook, refuse }) => hook === "no-sql" && refuse)
    expect(refused).toHaveLength(2)
  })
})
