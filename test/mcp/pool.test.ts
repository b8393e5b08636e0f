import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { Pool } from "../../mcp/pool.ts"
import { transportOf } from "../../mcp/reach.ts"
import { valueOfResult } from "../../mcp/result.ts"
import { Server } from "../../mcp/server.ts"
import type { ServerEntry } from "../../policy/policy.ts"
import { everything, filesystem, httpServer, memory, scripted } from "./servers.ts"

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const folder = (): string => mkdtempSync(join(tmpdir(), "mcp-"))

function pool(servers: Readonly<Record<string, ServerEntry>>, env: Record<string, string> = {}): Pool {
  const made = new Pool({ servers, cwd: folder(), env: { PATH: process.env.PATH, ...env } })
  open.push(made)
  return made
}

const one = (source: string, ...args: string[]) => pool({ s: scripted(source, ...args) })

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z")
  } catch {
    return false
  }
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let at = 0; at < 200 && !holds(); at++) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(holds()).toBe(true)
}

describe("the reference servers", () => {
  it("the filesystem's reads and writes files, and its tools come with their annotations", async () => {
    const dir = folder()
    const servers = pool({ fs: filesystem(dir) })
    await servers.call("fs", "write_file", { path: join(dir, "a.txt"), content: "p → q" })
    expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("p → q")
    expect(valueOfResult(await servers.call("fs", "read_text_file", { path: join(dir, "a.txt") }))).toEqual({
      content: "p → q",
    })
    expect((await servers.tool("fs", "write_file"))?.annotations).toMatchObject({ destructiveHint: true })
  })

  it("everything's answers, each to its own request, many at once", async () => {
    const servers = pool({ every: everything() })
    const sums = await Promise.all(
      Array.from({ length: 20 }, (_, n) => servers.call("every", "get-sum", { a: n, b: 1 }).then(valueOfResult)),
    )
    expect(sums).toEqual(Array.from({ length: 20 }, (_, n) => `The sum of ${n} and 1 is ${n + 1}.`))
  })

  it("memory's keeps what it was told while its session lives", async () => {
    const servers = pool({ mem: { ...memory(), env: { MEMORY_FILE_PATH: join(folder(), "m.json") } } })
    const entity = { name: "detent", entityType: "tool", observations: ["holds the dial"] }
    await servers.call("mem", "create_entities", { entities: [entity] })
    expect(valueOfResult(await servers.call("mem", "read_graph", {}))).toMatchObject({ entities: [entity] })
  })
})

describe("a server over HTTP", () => {
  it("is reached at its address, with the headers that its entry names", async () => {
    const seen: unknown[] = []
    const { url, close } = await httpServer((headers) => seen.push(headers.authorization))
    open.push({ close })
    const servers = pool({ s: { url, headers: { Authorization: "env:AUTH" } } }, { AUTH: "Bearer given" })
    expect(valueOfResult(await servers.call("s", "get-sum", { a: 1, b: 2 }))).toBe("The sum of 1 and 2 is 3.")
    expect(new Set(seen)).toEqual(new Set(["Bearer given"]))
  })
})

describe("a server", () => {
  it("is started when it is first needed, once for many calls at the same time", async () => {
    const servers = one("text(String(process.pid))")
    const pids = await Promise.all([1, 2, 3].map((n) => servers.call("s", "do", { n }).then(valueOfResult)))
    expect(new Set(pids).size).toBe(1)
  })

  it("is asked for every page of its tools, and an input is held against what a tool takes", async () => {
    const servers = one("text('x')")
    expect((await servers.server("s").tools()).map(({ name }) => name)).toEqual(["other", "do"])
    expect(servers.fits("s", "do", { n: 1 })).toBeUndefined()
    await servers.tool("s", "do")
    expect(servers.fits("s", "do", { n: 1 })).toBe(true)
    expect(servers.fits("s", "do", { n: "1" })).toBe(false)
    expect(servers.fits("s", "gone", {})).toBeUndefined()
  })

  it("that crashes fails the call under way, is sent nothing twice, and starts again for the next", async () => {
    const marks = join(folder(), "marks")
    const source = `
      const { appendFileSync, readFileSync } = await import("node:fs")
      appendFileSync(args[0], "x")
      if (readFileSync(args[0], "utf8").length === 1) process.exit(3)
      text("again")`
    const servers = one(source, marks)
    await expect(servers.call("s", "do", { n: 1 })).rejects.toMatchObject({ code: "unavailable" })
    expect(readFileSync(marks, "utf8")).toBe("x")
    expect(valueOfResult(await servers.call("s", "do", { n: 1 }))).toBe("again")
    expect(readFileSync(marks, "utf8")).toBe("xx")
  })

  it("that never answers the handshake is given up at the deadline, and ended", async () => {
    const entry = scripted("silent")
    const server = new Server("s", {
      open: () => transportOf("s", entry, folder(), { PATH: process.env.PATH }),
      limits: { startMs: 600, requestMs: 1000 },
    })
    open.push(server)
    await expect(server.call("do", {})).rejects.toMatchObject({ code: "unavailable" })
  })

  it("that never answers a call is a timeout", async () => {
    const server = new Server("s", {
      open: () => transportOf("s", scripted("return"), folder(), { PATH: process.env.PATH }),
      limits: { startMs: 10_000, requestMs: 300 },
    })
    open.push(server)
    await expect(server.call("do", { n: 1 })).rejects.toMatchObject({ code: "timeout" })
  })

  it("is told of a cancelled call, and goes on", async () => {
    const servers = one("if (params.arguments.n === 1) return; text('there')")
    const cancel = new AbortController()
    const call = servers.call("s", "do", { n: 1 }, { signal: cancel.signal })
    setTimeout(() => cancel.abort(), 300)
    await expect(call).rejects.toMatchObject({ code: "cancelled" })
    expect(valueOfResult(await servers.call("s", "do", { n: 2 }))).toBe("there")
  })

  it("that answers with an error is an error with the server's own code", async () => {
    const servers = one("send({ id, error: { code: -32000, message: 'no room', data: { left: 0 } } })")
    await expect(servers.call("s", "do", { n: 1 })).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringContaining("no room"),
      data: { code: -32000 },
    })
  })

  it("that chats on stdout, or cuts characters between writes, is understood all the same", async () => {
    const servers = one(`
      process.stdout.write("starting up\\n\\n")
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "p → q" }] } }) + "\\n")
      for (const byte of bytes) { process.stdout.write(Buffer.from([byte])); await new Promise((r) => setImmediate(r)) }`)
    expect(valueOfResult(await servers.call("s", "do", { n: 1 }))).toBe("p → q")
  })

  it.each(["null", "5", '"text"', "[]", '[{"jsonrpc":"2.0","id":"d1","result":{}}]', "{}"])(
    "that writes %s, which is no message, is understood in what follows",
    async (line) => {
      const servers = one(`process.stdout.write(${JSON.stringify(line)} + "\\n"); text("said")`)
      expect(valueOfResult(await servers.call("s", "do", { n: 1 }))).toBe("said")
    },
  )

  it("whose error has a code that is none is an internal error with its words", async () => {
    const error = `{"jsonrpc":"2.0","id":ID,"error":{"code":1e400,"message":"odd"}}`
    const servers = one(`process.stdout.write(${JSON.stringify(error)}.replace("ID", JSON.stringify(id)) + "\\n")`)
    await expect(servers.call("s", "do", { n: 1 })).rejects.toMatchObject({ message: "odd", data: { code: -32603 } })
  })

  it("takes and gives 10 MB", async () => {
    const servers = one("text(params.arguments.text)")
    const text = "x".repeat(10_000_000)
    expect(valueOfResult(await servers.call("s", "do", { n: 1, text }))).toBe(text)
  })

  it("gets `_meta` as it was given", async () => {
    const servers = one("text(JSON.stringify(params._meta))")
    const meta = JSON.parse(String(valueOfResult(await servers.call("s", "do", { n: 1 }, { meta: { "a/b": [1] } }))))
    expect(meta).toMatchObject({ "a/b": [1] })
  })

  it("sees the short list of variables and what its entry names, and no key of ours", async () => {
    const source = "text(JSON.stringify(process.env))"
    const env = { OPENAI_API_KEY: "secret", TOKEN: "given" }
    const servers = pool({ s: { ...scripted(source), env: { WANTED: "env:TOKEN" } } }, env)
    const seen = JSON.parse(String(valueOfResult(await servers.call("s", "do", { n: 1 }))))
    expect(seen).toMatchObject({ WANTED: "given" })
    expect(seen).not.toHaveProperty("OPENAI_API_KEY")
    expect(seen).not.toHaveProperty("TOKEN")
  })

  it("is ended with everything that it started, also what will not hear of it", async () => {
    const source = `
      const { spawn } = await import("node:child_process")
      const child = spawn("sh", ["-c", "trap '' TERM; sleep 300 & wait"], { detached: true, stdio: "ignore" })
      text(process.pid + " " + child.pid)`
    const servers = one(source)
    const pids = String(valueOfResult(await servers.call("s", "do", { n: 1 })))
      .split(" ")
      .map(Number)
    expect(pids.every(isAlive)).toBe(true)
    await servers.close()
    await until(() => !pids.some(isAlive))
  })

  it.each([
    ["a program that is not there", { command: ["no-such-program"] }, "`no-such-program` was not found"],
    ["a program that ends at once", { command: ["true"] }, "did not start"],
    ["a variable that is not set", { ...scripted(""), env: { A: "env:NOT_SET" } }, "`NOT_SET`"],
    ["nobody at the address", { url: "http://127.0.0.1:9/mcp" }, "did not start"],
  ])("with %s is unavailable, and the message says why", async (_, entry, why) => {
    const error = await pool({ s: entry })
      .call("s", "do", {})
      .catch((cause) => cause)
    expect(error).toMatchObject({ code: "unavailable" })
    expect(error.message).toContain(why)
  })

  it("that the policy does not have is named, with the nearest that it has", async () => {
    const servers = pool({ files: scripted("") })
    await expect(async () => servers.call("file", "x", {})).rejects.toThrow("no server `file`; did you mean `files`?")
  })
})

describe("a result, for a program", () => {
  it.each([
    [{ content: [], structuredContent: { a: 1 } }, { a: 1 }],
    [
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [
      { content: [{ type: "image", data: "", mimeType: "image/png" }] },
      [{ type: "image", data: "", mimeType: "image/png" }],
    ],
    ["replaced by a hook", "replaced by a hook"],
    [{ rows: [] }, { rows: [] }],
    [{ content: "replaced by a hook" }, { content: "replaced by a hook" }],
  ])("%j is worth %j", (result, value) => {
    expect(valueOfResult(result)).toEqual(value)
  })

  it("that says `isError` is thrown, with the tool's words", () => {
    const result = { content: [{ type: "text", text: "no such file" }], isError: true }
    expect(() => valueOfResult(result)).toThrow("no such file")
  })
})
