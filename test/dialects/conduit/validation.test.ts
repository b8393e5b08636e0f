import { describe, expect, expectTypeOf, it } from "vitest"
import type { ClientHooks } from "../../../dialects/conduit/types.ts"
import { PolicyError, showFinding } from "../../../policy/findings.ts"
import { engineWith } from "./world.ts"

const ok = () => "cont"

const findings = async (hooks: unknown): Promise<readonly string[]> => {
  const cause = await engineWith(hooks as never).then(
    () => undefined,
    (error: unknown) => error,
  )
  return cause instanceof PolicyError ? cause.findings.map(showFinding) : [`no PolicyError: ${String(cause)}`]
}

describe("hooks that are none", () => {
  it.each<[string, unknown, string[]]>([
    ["an unknown event", { pre_tool_cal: [] }, ["unknown event `pre_tool_cal` (did you mean `pre_tool_call`?)"]],
    ["an event that is no list", { pre_tool_call: {} }, ["`pre_tool_call` must be a list"]],
    ["an entry that is no list", { pre_tool_call: [ok] }, ["`pre_tool_call[0]`: it must be a list of a matcher"]],
    ["an entry without a function", { pre_tool_call: [["all"]] }, ["`pre_tool_call[0]`"]],
    ["a function that is none", { post_tool_call: [["all", "f"]] }, ["`post_tool_call[0]`: it has no function"]],
    ["a method that is not there", { pre_tool_call: [["all", [{}, "before"]]] }, ["it has no function"]],
    [
      "a function of too many arguments",
      { pre_tool_call: [["all", (_a: unknown, _b: unknown, _c: unknown) => "cont"]] },
      ["`pre_tool_call[0]`: its function takes 3 arguments, and gets 2"],
    ],
    ["an empty matcher", { pre_tool_call: [["", ok]] }, ["its matcher is none"]],
    ["a matcher without a name", { pre_tool_call: [["fs/", ok]] }, ["`fs/` lacks a server or a name"]],
    ["a matcher without a server", { pre_tool_call: [["/x", ok]] }, ["`/x` lacks a server or a name"]],
    ["a matcher that is a regex alone", { pre_tool_call: [[/x/, ok]] }, ["its matcher is none"]],
    ["a regex with flags", { pre_tool_call: [[["fs", /x/g], ok]] }, ["the flags `g`"]],
    ["a regex that looks back", { pre_tool_call: [[["fs", /(a)\1/], ok]] }, ["cannot be read"]],
    ["an unknown option", { pre_tool_call: [["all", ok, { timout: 1 }]] }, ["unknown option `timout` (did you mean"]],
    ["an option's name from a prototype", { pre_tool_call: [["all", ok, { toString: 1 }]] }, ["unknown option"]],
    ["a timeout of 0", { pre_tool_call: [["all", ok, { timeout: 0 }]] }, ["`timeout` must be a whole number"]],
    ["an empty id", { pre_tool_call: [["all", ok, { id: "" }]] }, ["`id` must be a text"]],
    [
      "on_error before a call",
      { pre_tool_call: [["all", ok, { on_error: "ignore" }]] },
      ["`pre_tool_call[0]`: `on_error` is not for `pre_tool_call`"],
    ],
    [
      "on_error with another word",
      { post_tool_call: [["all", ok, { on_error: "skip" }]] },
      ["must be `fail` or `ignore`"],
    ],
    [
      "one id twice",
      {
        pre_tool_call: [["all", ok, { id: "a" }]],
        post_tool_call: [
          ["all", ok],
          ["all", ok, { id: "a" }],
        ],
      },
      ["`post_tool_call[1]`: its id `a` is taken by `pre_tool_call[0]`"],
    ],
    [
      "the id that another hook has by its place",
      {
        pre_tool_call: [
          ["all", ok, { id: "pre_tool_call[1]" }],
          ["all", ok],
        ],
      },
      ["`pre_tool_call[1]`: its id `pre_tool_call[1]` is taken by `pre_tool_call[0]`"],
    ],
    [
      "several faults at once",
      {
        pre_tool_call: [
          ["", ok],
          ["all", 1],
        ],
        x: [],
      },
      ["[0]", "[1]", "`x`"],
    ],
  ])("%s is an error that names event and entry", async (_, hooks, expected) => {
    const found = await findings(hooks)
    expect(found).toHaveLength(expected.length)
    for (const [at, part] of expected.entries()) expect(found[at]).toContain(part)
  })

  it("are placed by a pointer", async () => {
    const error: PolicyError = await engineWith({
      pre_tool_call: [
        ["all", ok as never],
        ["", ok as never],
      ],
    }).catch((cause) => cause)
    expect(error.findings).toMatchObject([{ file: "hooks", pointer: "/hooks/pre_tool_call/1" }])
  })

  it("may be methods, called on their object", async () => {
    const audit = { seen: 0, before: () => "cont" as const }
    const counting = {
      count: 0,
      before() {
        this.count++
        return "cont"
      },
    }
    const engine = await engineWith({
      pre_tool_call: [
        ["all", [counting, "before"]],
        ["all", [audit, "before"]],
      ],
    })
    await engine.around("call", { server: "fs", tool: "x" }, () => "done")
    expect(counting.count).toBe(1)
  })

  it("may be none at all", async () => {
    const engine = await engineWith({ pre_tool_call: [] })
    const verdict = await engine.around("call", { server: "fs", tool: "x" }, () => "done")
    expect(verdict.frames.some(({ type }) => type === "hook")).toBe(false)
  })
})

describe("the types of hooks", () => {
  it("take functions that answer at once and async ones, in each of the forms", () => {
    const hooks: ClientHooks = {
      pre_tool_call: [
        ["all", () => "cont"],
        ["all", async () => "cont"],
        ["all", async (call) => (call.tool === "x" ? { deny: "no" } : { cont: call })],
        ["all", (call) => ["cont", call]],
        [["fs", /x/], [{ before: ok }, "before"], { id: "a", timeout: 1 }],
      ],
      on_prompt_get: [["all", async (_name, args) => ({ cont: { ...args, a: "b" } })]],
    }
    expectTypeOf(hooks).toExtend<ClientHooks>()
    const none: ClientHooks[] = [
      // @ts-expect-error there is no allow
      { pre_tool_call: [["all", () => "allow"]] },
      // @ts-expect-error what stands before a call is not skipped
      { pre_tool_call: [["all", () => "cont", { on_error: "ignore" }]] },
    ]
    expect(none).toHaveLength(2)
  })
})
