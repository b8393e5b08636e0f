import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../effects/json.ts"
import type { Frame } from "../../../frames/frames.ts"
import { parsePolicy } from "../../../policy/parse.ts"
import { everything, filesystem } from "../servers.ts"
import { alone, hooked, KINDS, rejection, text } from "./clients.ts"

const policyOf = (hooks: readonly JsonObject[], more: JsonObject = {}) =>
  parsePolicy(JSON.stringify({ version: 1, ...more, hooks }), { file: "detent.json" })

const before = (id: string, rest: JsonObject): JsonObject => ({ id, on: "call", phase: "before", ...rest })
const twice = { name: "test_structured", arguments: { a: 2 } }
const texts = ({ content }: JsonObject) => (content as { text: string }[]).map((block) => block.text)

describe.each(KINDS)("%s with a policy", (_, kind) => {
  it("passes the policy's hooks first, then the functions, and then what may refuse on the final arguments", async () => {
    const order: string[] = []
    const policy = policyOf([
      before("doubles", { rule: { apply: { merge: { a: 4 } } }, effect: "apply" }),
      before("no-eights", {
        when: { if: { "==": [{ var: "args.a" }, 8] } },
        rule: { refuse: "no eights" },
        effect: "ask",
      }),
    ])
    const hooks = (a: number) => ({
      pre_tool_call: [
        [
          "all",
          (call: JsonObject) => {
            order.push(`the function saw ${(call.args as JsonObject).a}`)
            return { cont: { ...call, args: { a } } }
          },
        ],
      ],
    })
    const fine = await hooked(kind, { policy, hooks: hooks(5) as never })
    expect(await fine.client.callTool(twice)).toMatchObject({ structuredContent: { twice: 10 } })
    const refused = await hooked(kind, { policy, hooks: hooks(8) as never })
    const error = await rejection(refused.client.callTool(twice))
    expect(error).toMatchObject({ kind: "denied", reason: "policy_denied", hook: "no-eights", message: "no eights" })
    expect(order).toEqual(["the function saw 4", "the function saw 4"])
    expect(refused.sent).not.toContain("tools/call")
  })

  it("refuses reads, fetches, listings and connections that the policy refuses", async () => {
    const policy = policyOf([
      { id: "r", on: "resource.read", phase: "before", rule: { refuse: "no reads" }, effect: "ask" },
      { id: "p", on: "prompt.get", phase: "before", rule: { refuse: "no prompts" }, effect: "ask" },
      { id: "l", on: "tools.list", phase: "onSuccess", rule: { refuse: "no lists" }, effect: "ask" },
    ])
    const { client } = await hooked(kind, { policy })
    const said = [
      await rejection(client.readResource({ uri: "test://static-text" })),
      await rejection(client.getPrompt({ name: "test_simple_prompt" })),
      await rejection(client.listTools()),
    ]
    expect(said.map(({ message, reason }) => [message, reason])).toEqual([
      ["no reads", "policy_denied"],
      ["no prompts", "policy_denied"],
      ["no lists", "policy_denied"],
    ])
    const gate = policyOf([
      { id: "g", on: "server.start", phase: "before", rule: { refuse: "not this one" }, effect: "ask" },
    ])
    expect(await rejection(alone(kind, { policy: gate }))).toMatchObject({ hook: "g", message: "not this one" })
  })

  it("asks before a destructive call where the policy wants that, by the server's own annotations", async () => {
    const policy = policyOf([], { "elicit.confirmDestructive": true })
    const asked: unknown[] = []
    const { client } = await hooked(kind, {
      policy,
      ask: async ({ questions }) => {
        asked.push(...questions.map(({ question }) => question))
        return ["no"]
      },
    })
    expect(await client.callTool(twice)).toMatchObject({ structuredContent: { twice: 4 } })
    expect(await rejection(client.callTool({ name: "test_simple_text" }))).toMatchObject({ kind: "denied" })
    expect(asked).toEqual(["`s/test_simple_text` may destroy something: go on?"])
    const silent = await hooked(kind, { policy })
    expect(await rejection(silent.client.callTool({ name: "test_simple_text" }))).toMatchObject({
      message: expect.stringContaining("nobody can be asked here"),
    })
  })

  it("gets the policy's advice: as blocks of a result, in a listing's `_meta`, and on an error of the client's own", async () => {
    const policy = policyOf([
      before("a", { rule: { advise: "careful" } }),
      { id: "l", on: "tools.list", phase: "onSuccess", rule: { advise: "many" } },
      { id: "e", on: "call", phase: "onError", rule: { advise: "try later" } },
    ])
    const { client } = await hooked(kind, { policy })
    expect(texts(await client.callTool(twice)).at(-1)).toBe("Advice of the hook `a`: careful")
    expect(await client.listTools()).toMatchObject({ _meta: { "detent/advice": [{ hook: "l", text: "many" }] } })
    const error = await rejection(client.callTool({ name: "test_wait" }, ...kind.options({ timeout: 50 })))
    expect(error.code).toBe(kind.generation === 1 ? -32001 : "REQUEST_TIMEOUT")
    expect(error.advice).toMatchObject([
      { hook: "a", text: "careful" },
      { hook: "e", text: "try later" },
    ])
  })

  it("throws the error that the policy puts in another's place, and nothing of that one", async () => {
    const rule = { apply: { error: { code: "busy", message: "come back" } } }
    const policy = policyOf([{ id: "e", on: "call", phase: "onError", rule, effect: "apply" }])
    const { client } = await hooked(kind, { policy })
    const error = await rejection(client.callTool({ name: "test_wait" }, ...kind.options({ timeout: 50 })))
    expect([error.name, error.kind, error.message, error.cause]).toEqual(["CallFailed", "busy", "come back", undefined])
  })

  it("throws where the policy puts in an answer's place what is none, and makes a tool's result of any value", async () => {
    const rule = { apply: { result: "gone" } }
    const policy = policyOf([
      { id: "r", on: "resource.read", phase: "onSuccess", rule, effect: "apply" },
      { id: "c", on: "call", phase: "onSuccess", rule, effect: "apply" },
    ])
    const { client } = await hooked(kind, { policy })
    const error = await rejection(client.readResource({ uri: "test://static-text" }))
    expect(error).toMatchObject({ kind: "hook", message: expect.stringContaining("what is none") })
    expect(await client.callTool(twice)).toEqual(text("gone"))
  })

  it("sends again what the policy retries", async () => {
    const policy = policyOf([
      { id: "again", on: "call", phase: "onError", rule: { run: { retry: true } }, effect: "run" },
    ])
    const { client, sent } = await hooked(kind, { policy })
    await rejection(client.callTool({ name: "test_wait" }, ...kind.options({ timeout: 50 })))
    expect(sent.filter((method) => method === "tools/call")).toHaveLength(2)
  })

  it("lets the policy's hooks call the tools of the client's server, and of no other", async () => {
    const policy = policyOf([
      before("asks-itself", {
        when: { tool: "test_meta" },
        plugin: "s/test_structured",
        effect: "ask",
        failure: "open",
      }),
      before("asks-another", {
        when: { tool: "test_simple_text" },
        plugin: "other/x",
        effect: "ask",
        failure: "closed",
      }),
    ])
    const { client, sent } = await hooked(kind, { policy })
    await client.callTool({ name: "test_meta" })
    expect(sent.filter((method) => method === "tools/call")).toHaveLength(2)
    expect(await rejection(client.callTool({ name: "test_simple_text" }))).toMatchObject({
      kind: "hook",
      hook: "asks-another",
    })
  })

  it("is under the settings that it is given, and tells its frames and those of observers", async () => {
    const frames: Frame[] = []
    const observed: Frame[] = []
    const policy = policyOf([
      before("changes", { rule: { apply: { merge: { a: 9 } } }, effect: "apply" }),
      { id: "sees", on: "call.", phase: "observe", rule: { advise: "seen" } },
    ])
    const { client } = await hooked(kind, {
      policy,
      settings: { "autonomy.max": "ask" },
      onFrame: (frame) => frames.push(frame),
      onObserved: (frame) => observed.push(frame),
    })
    expect(await client.callTool(twice)).toMatchObject({ structuredContent: { twice: 4 } })
    expect(frames.map(({ type }) => type)).toEqual(["start", "hook", "call", "result", "end"])
    expect(frames[1]).toMatchObject({ hook: "changes", dropped: [{ key: "apply", by: ["daemon"] }] })
    await expect.poll(() => observed.length).toBeGreaterThan(0)
  })
})

describe("a client that is closed", () => {
  it("has waited for what observes it", async () => {
    const observed: Frame[] = []
    const slow = `await new Promise((resolve) => setTimeout(resolve, 200)); export default () => ({ advise: "seen" })`
    const folder = mkdtempSync(join(tmpdir(), "detent-hooked-"))
    writeFileSync(join(folder, "slow.mjs"), slow)
    const policy = policyOf([{ id: "sees", on: "call.finished", phase: "observe", module: join(folder, "slow.mjs") }])
    const { client } = await alone(KINDS[0]![1], { policy, onObserved: (frame) => observed.push(frame) })
    await client.callTool(twice)
    await client.close()
    expect(observed).toMatchObject([{ type: "hook", hook: "sees" }])
    expect(observed[0]).not.toHaveProperty("failed")
  })
})

describe("the reference servers", () => {
  it.each(KINDS)(
    "with %s: a file is not written where the policy says so, and read where it does not",
    async (_, kind) => {
      const folder = mkdtempSync(join(tmpdir(), "detent-hooked-"))
      writeFileSync(join(folder, "a.txt"), "hello")
      const policy = policyOf([
        before("no-secrets", {
          when: { kind: ["write", "edit"], if: { glob: [{ var: "target.path" }, "**/.env*"] } },
          rule: { refuse: "secrets stay where they are" },
          effect: "ask",
          failure: "closed",
        }),
      ])
      const { client } = await alone(kind, { server: "fs", policy }, filesystem(folder))
      const write = (name: string) =>
        client.callTool({ name: "write_file", arguments: { path: join(folder, name), content: "x" } })
      expect(await rejection(write(".env"))).toMatchObject({
        hook: "no-secrets",
        message: "secrets stay where they are",
      })
      await write("b.txt")
      expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("x")
      expect(
        texts(await client.callTool({ name: "read_text_file", arguments: { path: join(folder, "a.txt") } })),
      ).toEqual(["hello"])
    },
  )

  it.each(KINDS)("with %s: everything's tools and prompts pass the hooks", async (_, kind) => {
    const { client } = await alone(
      kind,
      {
        server: "every",
        hooks: {
          pre_tool_call: [["every/Get_Sum", (call) => ({ cont: { ...call, args: { ...call.args, b: 40 } } })]],
          post_tool_call: [["echo", () => ({ cont: text("***") })]],
          on_prompt_get: [["args-*", (_name, args) => ({ cont: { ...args, city: "Bern" } })]],
        },
      },
      everything(),
    )
    expect(texts(await client.callTool({ name: "get-sum", arguments: { a: 2, b: 1 } }))).toEqual([
      "The sum of 2 and 40 is 42.",
    ])
    expect(await client.callTool({ name: "echo", arguments: { message: "secret" } })).toEqual(text("***"))
    const prompt = await client.getPrompt({ name: "args-prompt", arguments: { city: "Rome" } })
    expect(JSON.stringify(prompt)).toContain("Bern")
  })
})
