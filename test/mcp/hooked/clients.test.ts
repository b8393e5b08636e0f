import { describe, expect, it, vi } from "vitest"
import { WITHHELD } from "../../../dialects/conduit/chains.ts"
import type { ClientHooks, HookContext, PreToolCall, ToolCall } from "../../../dialects/conduit/types.ts"
import { CallFailed } from "../../../mcp/hooked/failed.ts"
import { perCall } from "../../../mcp/hooked/per-call.ts"
import { everything } from "../servers.ts"
import { alone, hooked, KINDS, never, rejection, text } from "./clients.ts"

/** Only one that never answers needs an end that is near: any other could meet it on a busy machine. */
const pre = (fn: unknown): ClientHooks => ({
  pre_tool_call: [["s/*", fn as PreToolCall, { id: "guard", ...(fn === never && { timeout: 100 }) }]],
})
const twice = { name: "test_structured", arguments: { a: 2 } }

describe.each(KINDS)("%s with hooks", (_, kind) => {
  it("calls tools, and hooks may rewrite the arguments, the meta and the result", async () => {
    const { client } = await hooked(kind, {
      hooks: {
        pre_tool_call: [
          ["s/test_meta", (call) => ({ cont: { ...call, meta: { ...call.meta, "example.org/b": 2 } } })],
          ["s/test_structured", (call) => ({ cont: { ...call, args: { a: 21 } } })],
        ],
        post_tool_call: [
          ["s/test_meta", (_call, result) => ({ cont: { ...result, _meta: { "example.org/seen": true } } })],
        ],
      },
    })
    expect(await client.callTool(twice)).toMatchObject({ structuredContent: { twice: 42 } })
    const answer = await client.callTool({ name: "test_meta", _meta: { "example.org/a": 1 } })
    expect(answer).toMatchObject({ _meta: { "example.org/seen": true } })
    const [block] = answer.content as { text: string }[]
    expect(JSON.parse(block?.text ?? "")).toMatchObject({ "example.org/a": 1, "example.org/b": 2 })
  })

  it("answers what the client answers where no hook changes it", async () => {
    const { client, raw } = await hooked(kind, { hooks: pre(() => "cont") })
    expect(await client.callTool(twice)).toEqual(await raw.callTool(twice))
    expect(await client.listTools()).toEqual(await raw.listTools())
    expect(await client.readResource({ uri: "test://static-text" })).toEqual(
      await raw.readResource({ uri: "test://static-text" }),
    )
  })

  it("tells its hooks where they stand: the client, the server, the era, assigns and who asks", async () => {
    const seen: HookContext[] = []
    const { client } = await hooked(kind, {
      caller: { id: "ana" },
      assigns: { tenant: "a", trace: 0 },
      hooks: pre((_call: ToolCall, context: HookContext) => {
        seen.push(context)
        return "cont"
      }),
    })
    await client.callTool(twice)
    const options = perCall({ caller: { id: "ben" }, assigns: { trace: 1 } }, { timeout: 10_000 })
    await client.callTool(twice, ...kind.options(options))
    const about = { client, server: "s", era: kind.era, signal: expect.any(AbortSignal) }
    expect(seen).toEqual([
      { ...about, assigns: { tenant: "a", trace: 0 }, principal: { id: "ana" } },
      { ...about, assigns: { tenant: "a", trace: 1 }, principal: { id: "ben" } },
    ])
    expect(seen[0]?.client).toBe(client)
  })

  it("throws what a hook denies, with the hook and its reason, and nothing is sent", async () => {
    const { client, sent } = await hooked(kind, { hooks: pre(() => ({ deny: { code: 7 } })) })
    const error = await rejection(client.callTool(twice))
    expect(error).toBeInstanceOf(CallFailed)
    expect(error).toMatchObject({ kind: "denied", reason: "hook_denied", hook: "guard", data: { code: 7 } })
    expect(sent).not.toContain("tools/call")
  })

  it("answers with what a hook halts with, nothing is sent, and hooks after the call see it", async () => {
    const { client, sent } = await hooked(kind, {
      hooks: {
        ...pre(() => ({ halt: text("cached") })),
        post_tool_call: [
          ["all", (_call, { content }) => ({ cont: { content: [...(content as []), ...text("!").content] } })],
        ],
      },
    })
    expect(await client.callTool(twice)).toEqual({ content: [...text("cached").content, ...text("!").content] })
    expect(sent).not.toContain("tools/call")
  })

  it.each([
    ["throws", () => Promise.reject(new Error("SECRET")), "raise"],
    ["never answers", never, "timeout"],
    ["allows", () => ({ allow: true }), "bad_return"],
    ["halts with what is no result of a tool", () => ({ halt: { content: "text" } }), "bad_return"],
  ])("fails a call whose hook %s, and nothing is sent", async (_what, fn, failure) => {
    const { client, sent } = await hooked(kind, { hooks: pre(fn) })
    const error = await rejection(client.callTool(twice))
    expect(error).toMatchObject({ kind: "hook", reason: "hook_failed", hook: "guard", failure })
    expect(`${error.message} ${JSON.stringify(error)} ${error.cause}`).not.toContain("SECRET")
    expect(sent).not.toContain("tools/call")
  })

  it("fails a call whose hook leaves arguments that its tool does not take, and asks the server once what that is", async () => {
    const { client, sent } = await hooked(kind, {
      hooks: pre((call: ToolCall) => ({ cont: { ...call, args: { a: "two" } } })),
    })
    for (let n = 0; n < 2; n++) {
      expect(await rejection(client.callTool(twice))).toMatchObject({ kind: "hook", failure: "bad_return" })
    }
    expect(sent).toEqual(["tools/list"])
  })

  it("drops the structured part of a result whose text alone a hook has changed: no old copy is left", async () => {
    const { client } = await hooked(kind, {
      hooks: { post_tool_call: [["all", (_call, result) => ({ cont: { ...result, ...text("***") } })]] },
    })
    const answer = await client.callTool(twice)
    expect(answer).toMatchObject(text("***"))
    expect(answer).not.toHaveProperty("structuredContent")
  })

  it("withholds a result whose hook fails: a fixed text stands in its place", async () => {
    const { client } = await hooked(kind, {
      hooks: { post_tool_call: [["all", () => undefined as never]] },
    })
    expect(await client.callTool(twice)).toEqual({ ...text(WITHHELD), isError: true })
  })

  it("leaves the result as it is where such a failure is ignored", async () => {
    const { client, raw } = await hooked(kind, {
      hooks: { post_tool_call: [["all", () => undefined as never, { on_error: "ignore" }]] },
    })
    expect(await client.callTool(twice)).toEqual(await raw.callTool(twice))
  })

  it("shows hooks after a call the results that say they are errors", async () => {
    const seen: unknown[] = []
    const { client } = await hooked(kind, {
      hooks: {
        post_tool_call: [
          [
            "all",
            (_call, { isError }) => {
              seen.push(isError)
              return "cont"
            },
          ],
        ],
      },
    })
    expect(await client.callTool({ name: "test_error_handling" })).toMatchObject({ isError: true })
    expect(seen).toEqual([true])
  })

  it("throws the client's own error where a call fails, and its hooks are told of which kind it is", async () => {
    const seen: unknown[] = []
    const { client, raw } = await alone(kind, {
      hooks: {
        tool_call_failed: [
          [
            "all",
            (_call, { kind: of }) => {
              seen.push(of)
              return "cont"
            },
          ],
        ],
      },
    })
    const soon = kind.options({ timeout: 50 })
    const [late, own] = [
      await rejection(client.callTool({ name: "test_wait" }, ...soon)),
      await rejection(raw.callTool({ name: "test_wait" }, ...soon)),
    ]
    expect([late.constructor, late.message, late.code]).toEqual([own.constructor, own.message, own.code])
    await raw.close()
    expect(await rejection(client.callTool(twice))).toMatchObject({ message: "Not connected" })
    expect(seen).toEqual(["timeout", "transport"])
  })

  it("answers with what a hook recovers a failed call with", async () => {
    const { client } = await hooked(kind, {
      hooks: { tool_call_failed: [["all", () => ({ recover: text("instead") })]] },
    })
    expect(await client.callTool({ name: "test_wait" }, ...kind.options({ timeout: 50 }))).toEqual(text("instead"))
  })

  it("throws the error unchanged where a hook of failed calls fails", async () => {
    const { client } = await hooked(kind, {
      hooks: { tool_call_failed: [["all", () => Promise.reject(new Error("SECRET"))]] },
    })
    const error = await rejection(client.callTool({ name: "test_wait" }, ...kind.options({ timeout: 50 })))
    expect(error).not.toBeInstanceOf(CallFailed)
    expect([kind.generation === 1 ? -32001 : "REQUEST_TIMEOUT"]).toContain(error.code)
    expect(Object.keys(error)).not.toContain("advice")
  })

  it("ends a hook with the call that is cancelled, and says so", async () => {
    const { client, sent } = await hooked(kind, { hooks: { pre_tool_call: [["all", never]] } })
    const cancel = new AbortController()
    const error = rejection(client.callTool(twice, ...kind.options({ signal: cancel.signal })))
    cancel.abort("enough")
    expect(await error).toMatchObject({ kind: "cancelled", cause: "enough" })
    expect(sent).not.toContain("tools/call")
  })

  it("throws the client's own error where a call is cancelled that has been sent", async () => {
    const { client, raw, sent } = await hooked(kind, { hooks: pre(() => "cont") })
    const cancelled = async (one: typeof client) => {
      const cancel = new AbortController()
      const error = rejection(one.callTool({ name: "test_wait" }, ...kind.options({ signal: cancel.signal })))
      await expect.poll(() => sent).toContain("tools/call")
      cancel.abort("enough")
      sent.length = 0
      const { name, message } = await error
      return [name, message]
    }
    expect(await cancelled(client)).toEqual(await cancelled(raw))
  })

  it("drops and annotates listed tools, and fails the listing where a hook fails", async () => {
    const { client } = await hooked(kind, {
      hooks: {
        on_tools_listed: [
          ["s/test_*", (tools) => ({ cont: tools.filter(({ name }) => name === "test_meta") })],
          ["s/test_meta", (tools) => ({ cont: tools.map((tool) => ({ ...tool, title: "Meta" })) })],
        ],
      },
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ["json_schema_2020_12_tool", undefined],
      ["test_meta", "Meta"],
    ])
    const failing = await hooked(kind, { hooks: { on_tools_listed: [["all", () => [] as never, { id: "shape" }]] } })
    const error = await rejection(failing.client.listTools())
    expect(error).toMatchObject({ kind: "hook", hook: "shape", failure: "bad_return" })
  })

  it("gates resources and prompts, whose arguments a hook may rewrite", async () => {
    const { client, sent } = await hooked(kind, {
      hooks: {
        on_resource_read: [["test://static-text", () => ({ deny: "closed" }), { id: "gate" }]],
        on_prompt_get: [
          ["test_prompt_with_arguments", (_name, args) => ({ cont: { ...args, arg2: "b" } })],
          ["test_simple_prompt", () => undefined as never, { id: "broken" }],
        ],
      },
    })
    const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "a" } })
    expect(JSON.stringify(prompt)).toContain("arg1='a', arg2='b'")
    sent.length = 0
    const denied = await rejection(client.readResource({ uri: "test://static-text" }))
    expect(denied).toMatchObject({ kind: "denied", hook: "gate", message: "closed" })
    const broken = await rejection(client.getPrompt({ name: "test_simple_prompt" }))
    expect(broken).toMatchObject({ kind: "hook", hook: "broken", failure: "bad_return" })
    expect(sent).toEqual([])
  })

  it("has no way round: a request by its method's name passes, too", async () => {
    const { client, sent } = await hooked(kind, { hooks: pre(() => ({ deny: "no" })) })
    const whole = { method: "tools/call", params: twice }
    expect(await rejection(client.request(whole))).toMatchObject({ kind: "denied", hook: "guard" })
    expect(sent).not.toContain("tools/call")
  })

  it("is the client in all else", async () => {
    const { client, raw, sent } = await hooked(kind, {})
    expect(client).toBeInstanceOf(raw.constructor)
    expect(client.getServerVersion()).toEqual(raw.getServerVersion())
    await client.ping().catch(() => {})
    const gone = () => {}
    client.onclose = gone
    expect([raw.onclose, client.onclose]).toEqual([gone, gone])
    expect(client.ping).toBe(client.ping)
    expect(sent).toEqual(kind.era === "legacy" ? ["ping"] : [])
  })

  it("may be closed and connected to another server, whose tools are then held against its own word", async () => {
    const rewrite = (call: ToolCall) => ({ cont: { ...call, args: { a: 1 } } })
    const { client } = await alone(kind, { hooks: pre(rewrite) })
    expect(await client.callTool(twice)).toMatchObject({ structuredContent: { twice: 2 } })
    await client.close()
    await client.connect(kind.stdio(everything().command ?? []))
    const error = await rejection(client.callTool({ name: "echo", arguments: { message: "a" } }))
    expect(error).toMatchObject({ hook: "guard", failure: "bad_return" })
  })

  it("sends what its hooks have seen, whatever becomes of the arguments meanwhile", async () => {
    const { client } = await hooked(kind, {
      hooks: pre(async (call: ToolCall) => {
        given.a = 1000
        if (call.tool === "test_structured") return "cont"
        return { cont: { ...call, meta: { "example.org/seen": Object.keys(call.args) } } }
      }),
    })
    const given: Record<string, unknown> = { a: 2, b: undefined }
    expect(await client.callTool({ name: "test_structured", arguments: given })).toMatchObject({
      structuredContent: { twice: 4 },
    })
    const meta = await client.callTool({ name: "test_meta", arguments: { b: undefined } })
    expect(JSON.stringify(meta)).toContain('\\"example.org/seen\\":[]')
  })

  it("sends nothing that JSON cannot carry", async () => {
    const { client, sent } = await hooked(kind, { hooks: pre(() => "cont") })
    const error = await rejection(client.callTool({ ...twice, arguments: { a: 1n } }))
    expect(error).toBeInstanceOf(TypeError)
    expect(sent).not.toContain("tools/call")
  })

  it("may be spied on, and the spy's own call passes the hooks", async () => {
    const { client, raw } = await hooked(kind, { hooks: pre(() => ({ halt: text("hooked") })) })
    const spy = vi.spyOn(client, "callTool")
    expect(await client.callTool(twice)).toEqual(text("hooked"))
    expect(spy).toHaveBeenCalledWith(twice)
    expect(raw.callTool).not.toBe(client.callTool)
    expect(await raw.callTool(twice)).toMatchObject({ structuredContent: { twice: 4 } })
  })
})
