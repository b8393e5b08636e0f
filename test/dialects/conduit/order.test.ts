import { describe, expect, it } from "vitest"
import type { EventName } from "../../../dialects/conduit/events.ts"
import type { ClientHooks, HookMatcher } from "../../../dialects/conduit/types.ts"
import { OperationError } from "../../../engine/errors.ts"
import { called, engineWith } from "./world.ts"

/** A chain of each event with the same matchers, in an order that is not the onion's. */
function traced(event: EventName) {
  const ran: string[] = []
  const traces = (name: string) => () => {
    ran.push(name)
    return "cont"
  }
  const matchers: [string, HookMatcher][] = [
    ["tool 1", "fs/read_file"],
    ["server 1", "fs/*"],
    ["global 1", "all"],
    ["tool 2", ["fs", /read/]],
    ["global 2", "*"],
    ["tool 3", "read*"],
    ["server 2", "*/*"],
    ["global 3", "any"],
  ]
  const entries = matchers.map(([name, matcher]) => [matcher, traces(name)])
  return { ran, hooks: { [event]: entries } as ClientHooks }
}

const INWARD = ["global 1", "global 2", "global 3", "server 1", "server 2", "tool 1", "tool 2", "tool 3"]

describe("the order", () => {
  it("before a call is the onion: global, server, tool, and as declared within a ring", async () => {
    const { ran, hooks } = traced("pre_tool_call")
    await called(hooks)
    expect(ran).toEqual(INWARD)
  })

  it("after a call is exactly the reverse", async () => {
    const { ran, hooks } = traced("post_tool_call")
    await called(hooks)
    expect(ran).toEqual([...INWARD].reverse())
  })

  it("after a failed call is exactly the reverse", async () => {
    const { ran, hooks } = traced("tool_call_failed")
    await called(hooks, {
      answer: () => {
        throw new OperationError({ code: "x", message: "x" })
      },
    })
    expect(ran).toEqual([...INWARD].reverse())
  })

  it("of listings, reads and fetches is that of before a call", async () => {
    const listings = traced("on_tools_listed")
    const engine = await engineWith(listings.hooks)
    await engine.fire("tools.list", "onSuccess", { server: "fs", result: { tools: [{ name: "read_file" }] } })
    expect(listings.ran).toEqual(INWARD)
    const reads = traced("on_resource_read")
    await (await engineWith(reads.hooks)).around("resource.read", { server: "fs", uri: "read_file" }, () => "x")
    expect(reads.ran).toEqual(INWARD)
    const fetches = traced("on_prompt_get")
    await (await engineWith(fetches.hooks)).around("prompt.get", { server: "fs", name: "read_file" }, () => "x")
    expect(fetches.ran).toEqual(INWARD)
  })

  it("feeds each hook what the one before it made of the call", async () => {
    const append = (letter: string): NonNullable<ClientHooks["pre_tool_call"]>[number] => [
      "all",
      async (call) => {
        await new Promise((resolve) => setTimeout(resolve, letter === "a" ? 20 : 0))
        return { cont: { ...call, args: { path: `${call.args.path}${letter}` } } }
      },
    ]
    const { sent } = await called(
      { pre_tool_call: ["a", "b", "c"].map(append) },
      { event: { server: "fs", tool: "x", args: { path: "" } } },
    )
    expect(sent).toEqual([{ path: "abc" }])
  })
})
