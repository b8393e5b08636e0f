import { Client as Client2 } from "@modelcontextprotocol/client"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { HookTelemetry, PreToolCall } from "../../../dialects/conduit/types.ts"
import { perCall } from "../../../mcp/hooked/per-call.ts"
import { withHooks } from "../../../mcp/hooked/with-hooks.ts"
import { PolicyError } from "../../../policy/findings.ts"
import { hooked, KINDS, never, rejection, text } from "./clients.ts"

const [, kind] = KINDS[0]!
const client = () => new Client2({ name: "test", version: "1" })
const given = (options: unknown) => rejection(withHooks(client(), options as never))
const twice = { name: "test_structured", arguments: { a: 2 } }

describe("the options of a client with hooks", () => {
  it.each<[string, unknown, string]>([
    ["no options", undefined, "at least the `server`"],
    ["no server", {}, "the `server` must have a name"],
    ["a server without a name", { server: " " }, "the `server` must have a name"],
    ["a server with a slash", { server: "a/b" }, "a text without a slash"],
    ["an option that is none", { server: "s", hook: {} }, "unknown option `hook`; did you mean `hooks`?"],
    ["a policy that is a text", { server: "s", policy: "version: 1" }, "the `policy` must be one that"],
    ["a setting that is none", { server: "s", settings: { "autonomy.min": "run" } }, "unknown setting `autonomy.min`"],
    ["a level that is none", { server: "s", settings: { "autonomy.max": "all" } }, "unknown level `all`"],
    ["a time of no length", { server: "s", hookTimeout: 0 }, "`hookTimeout` must be a whole number of milliseconds"],
  ])("%s: is an error at once", async (_, options, message) => {
    expect((await given(options)).message).toContain(message)
  })

  it("name the event and the entry of each hook that is none", async () => {
    const error = await given({ server: "s", hooks: { pre_tool_call: [["", () => "cont"]], post_call: [] } })
    expect(error).toBeInstanceOf(PolicyError)
    expect(error.message).toContain("`pre_tool_call[0]`: its matcher is none")
    expect(error.message).toContain("unknown event `post_call`")
  })

  it("of one call are known by name", () => {
    expect(() => perCall({ principal: { id: "ana" } } as never)).toThrow("unknown option `principal`")
  })

  it("of one call need a caller with an id, and nothing is sent without", async () => {
    const { client, sent } = await hooked(kind)
    const error = await rejection(client.callTool(twice, perCall({ caller: {} })))
    expect(error.message).toContain("the caller needs an `id`")
    expect(sent).toEqual([])
  })

  it("give hooks that name no timeout the client's", async () => {
    const { client } = await hooked(kind, { hookTimeout: 50, hooks: { pre_tool_call: [["all", never]] } })
    expect(await rejection(client.callTool(twice))).toMatchObject({
      hook: "pre_tool_call[0]",
      failure: "timeout",
    })
  })

  it("have each run of a hook told", async () => {
    const told: HookTelemetry[] = []
    const { client } = await hooked(kind, {
      onTelemetry: (event) => told.push(event),
      hooks: {
        pre_tool_call: [["all", () => "cont"]],
        on_resource_read: [["all", () => ({ deny: "no" }), { id: "gate" }]],
      },
    })
    await client.callTool(twice)
    await rejection(client.readResource({ uri: "test://static-text" }))
    expect(told).toMatchObject([
      { type: "hook.stop", event: "pre_tool_call", server: "s", tool: "test_structured", status: "cont" },
      { type: "hook.stop", event: "on_resource_read", hook: "gate", status: "deny" },
    ])
  })

  it("leave a client its type", async () => {
    const [two, one] = [client(), new Client1({ name: "test", version: "1" })]
    expectTypeOf(await withHooks(two, { server: "s" })).toEqualTypeOf<Client2>()
    expectTypeOf(await withHooks(one, { server: "s" })).toEqualTypeOf<Client1>()
    expectTypeOf(perCall({ caller: { id: "ana" } })).toExtend<Parameters<Client2["callTool"]>[1]>()
    expectTypeOf(perCall({ assigns: {} }, { timeout: 1 })).toEqualTypeOf<{ timeout: number }>()
  })
})

describe("a hook that uses its client", () => {
  it("calls through the hooks itself, to a depth that has an end", async () => {
    let calls = 0
    const again: PreToolCall = async (_call, context) => {
      calls++
      const { client } = context as { client: Client2 }
      await client.callTool(twice).catch((cause: unknown) => {
        if (!String(cause).includes("nest deeper than 4")) throw cause
      })
      return "cont"
    }
    const { client } = await hooked(kind, { hooks: { pre_tool_call: [["all", again]] } })
    expect(await client.callTool(twice)).toMatchObject({ structuredContent: { twice: 4 } })
    expect(calls).toBe(5)
  })

  it("may be around a client that has hooks already, as often as there are reasons for it", async () => {
    let { client } = await hooked(kind)
    for (let n = 0; n < 8; n++) {
      const hooks = { post_tool_call: [["all", (_: unknown, result: object) => ({ cont: { ...result, n } })]] }
      client = await withHooks(client, { server: "s", hooks: hooks as never })
    }
    expect(await client.callTool(twice)).toMatchObject({ n: 7, structuredContent: { twice: 4 } })
  })

  it("may leave behind what calls later, as often as it likes", async () => {
    let left = 8
    let last: (() => void) | undefined
    const over = new Promise<void>((resolve) => {
      last = resolve
    })
    const { client } = await hooked(kind, {
      hooks: {
        pre_tool_call: [
          [
            "all",
            (_call, context) => {
              if (left-- > 0) setTimeout(() => (context.client as Client2).callTool(twice), 5)
              else last?.()
              return { halt: text("x") }
            },
          ],
        ],
      },
    })
    await client.callTool(twice)
    await over
    expect(left).toBe(-1)
  })
})

describe("a call that is answered in parts, or later", () => {
  const [, first] = KINDS.find(([, { generation }]) => generation === 1)!

  it("is not sent, since its result would pass no hook", async () => {
    const { client, sent } = await hooked(first, { hooks: { pre_tool_call: [["all", () => "cont"]] } })
    const one = client as unknown as Client1
    const { tasks } = one.experimental
    const refusals = [
      rejection(client.callTool({ ...twice, task: { ttl: 1 } })),
      rejection(client.callTool(twice, undefined, { task: { ttl: 1 } })),
      rejection(client.request({ method: "tools/call", params: twice }, {}, { task: {} })),
      rejection((async () => tasks.callToolStream(twice))()),
      rejection((async () => tasks.requestStream({ method: "tools/call", params: twice }, {} as never))()),
    ]
    for (const refused of refusals) {
      expect(await refused).toMatchObject({ kind: "unsupported", message: expect.stringContaining("cannot pass") })
    }
    expect(sent).toEqual([])
  })

  it("leaves the rest of the experimental part as it is", async () => {
    const { client, sent } = await hooked(first)
    await rejection((client as unknown as Client1).experimental.tasks.getTask("none"))
    expect(sent).toEqual(["tasks/get"])
  })
})
