import { describe, expect, it } from "vitest"
import type { ClientHooks, ListedTool, OnPromptGet, OnToolsListed } from "../../../dialects/conduit/types.ts"
import { engineWith, never } from "./world.ts"

const schema = { type: "object" }
const TOOLS: readonly ListedTool[] = [
  { name: "read", description: "reads", inputSchema: schema },
  { name: "write", description: "writes", inputSchema: schema },
  { name: "Write-All", inputSchema: schema },
]

async function listed(hooks: ClientHooks["on_tools_listed"]) {
  const engine = await engineWith({ on_tools_listed: hooks ?? [] })
  return engine.fire("tools.list", "onSuccess", { server: "fs", result: { tools: TOOLS, more: 1 } })
}

describe("a hook of listings", () => {
  it("is given the tools that its matcher selects, and what it leaves out is dropped", async () => {
    let seen: unknown
    const drop: OnToolsListed = (tools) => {
      seen = tools.map(({ name }) => name)
      return { cont: tools.filter(({ name }) => name !== "write") }
    }
    const { result } = await listed([["fs/write*", drop]])
    expect(seen).toEqual(["write", "Write-All"])
    expect(result).toEqual({ tools: [TOOLS[0], TOOLS[2]], more: 1 })
  })

  it("may annotate, and the tools stay in the server's order", async () => {
    const mark: OnToolsListed = (tools) => ({ cont: tools.map((tool) => ({ ...tool, title: "!" })).reverse() })
    const { result } = await listed([["all", mark]])
    expect(result).toEqual({ tools: TOOLS.map((tool) => ({ ...tool, title: "!" })), more: 1 })
  })

  it("is shown what the hooks before it have left", async () => {
    const drop: OnToolsListed = (tools) => ({ cont: tools.slice(1) })
    const { result } = await listed([
      ["all", drop],
      ["fs/*", drop],
    ])
    expect(result).toMatchObject({ tools: [TOOLS[2]] })
  })

  it("that fails has nothing of what it was shown or threw in any frame", async () => {
    const verdict = await listed([["all", () => Promise.reject(new Error("SECRET"))]])
    expect(JSON.stringify(verdict)).not.toContain("SECRET")
  })

  it("is not run where it selects nothing", async () => {
    const { outcome } = await listed([["fs/none", () => undefined as never]])
    expect(outcome).toBe("continue")
  })

  it.each<[string, unknown]>([
    ["throws", () => Promise.reject(new Error("x"))],
    ["never answers", never],
    ["gives back nothing", () => undefined],
    ["invents a tool", (tools: ListedTool[]) => ({ cont: [...tools, { name: "rm", inputSchema: schema }] })],
    ["renames a tool", ([first]: ListedTool[]) => ({ cont: [{ ...first, name: "x" }] })],
    ["lists a tool twice", ([first]: ListedTool[]) => ({ cont: [first, first] })],
    ["gives a tool another schema", ([first]: ListedTool[]) => ({ cont: [{ ...first, inputSchema: {} }] })],
    ["gives back a tool that it was not shown", () => ({ cont: [TOOLS[0]] })],
    ["gives back no list", () => ({ cont: {} })],
    ["denies", () => ({ deny: "no" })],
  ])("that %s fails the listing, which is no empty list", async (_, fn) => {
    const verdict = await listed([["fs/write*", fn as OnToolsListed, { id: "shape", timeout: 100 }]])
    expect(verdict.outcome).toBe("refuse")
    expect(verdict.refusal).toMatchObject({ code: "hook_failed", data: { hook: "shape" } })
    expect(verdict.result).toBeUndefined()
  })
})

describe("a hook of resources", () => {
  const read = async (fn: unknown) => {
    const engine = await engineWith({
      on_resource_read: [["file:///secret/**", fn as never, { id: "gate", timeout: 100 }]],
    })
    const at = (uri: string) => engine.around("resource.read", { server: "fs", uri }, () => "contents")
    return { secret: await at("file:///secret/a/b"), other: await at("file:///open/a") }
  }

  it("gates those whose URI it matches", async () => {
    const { secret, other } = await read(() => ({ deny: "closed" }))
    expect(secret.error).toMatchObject({ cause: "hook_denied", message: "closed", data: { hook: "gate" } })
    expect(other.result).toBe("contents")
  })

  it("is given the URI, and lets it be read", async () => {
    const seen: unknown[] = []
    const { secret } = await read((uri: string) => {
      seen.push(uri)
      return "cont"
    })
    expect(secret.result).toBe("contents")
    expect(seen).toEqual(["file:///secret/a/b"])
  })

  it.each<[string, () => unknown]>([
    ["throws", () => Promise.reject(new Error("x"))],
    ["never answers", never],
    ["rewrites the URI", () => ({ cont: "file:///x" })],
    ["gives back nothing", () => undefined],
    ["allows", () => "allow"],
    ["halts", () => ({ halt: { contents: [] } })],
  ])("that %s fails the read", async (_, fn) => {
    const { secret } = await read(fn)
    expect(secret.error).toMatchObject({ cause: "hook_failed", data: { hook: "gate" } })
  })
})

describe("a hook of prompts", () => {
  const get = async (fn: unknown, args: Record<string, string> = { topic: "a" }) => {
    const engine = await engineWith({ on_prompt_get: [["greet*", fn as OnPromptGet, { id: "gate", timeout: 100 }]] })
    return engine.around("prompt.get", { server: "fs", name: "Greet-All", args }, (given) => given)
  }

  it("is given the name and the arguments, and may rewrite these", async () => {
    const seen: unknown[] = []
    const { result } = await get((name: string, args: object) => {
      seen.push(name, args)
      return { cont: { topic: "b" } }
    })
    expect(seen).toEqual(["Greet-All", { topic: "a" }])
    expect(result).toEqual({ topic: "b" })
  })

  it("may deny", async () => {
    expect((await get(() => ({ deny: "no" }))).error).toMatchObject({ cause: "hook_denied" })
  })

  it.each<[string, () => unknown]>([
    ["throws", () => Promise.reject(new Error("x"))],
    ["never answers", never],
    ["halts", () => ({ halt: { messages: [] } })],
    ["allows", () => ({ allow: true })],
    ["gives an argument that is no text", () => ({ cont: { topic: 1 } })],
    ["gives back nothing", () => undefined],
  ])("that %s fails the fetch", async (_, fn) => {
    expect((await get(fn)).error).toMatchObject({ cause: "hook_failed", data: { hook: "gate" } })
  })
})
