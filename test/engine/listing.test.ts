import { describe, expect, test } from "vitest"
import { engineOf, hook, hookFrames } from "./world.ts"

const schema = { type: "object" }
const read = { name: "read", description: "reads", inputSchema: schema }
const write = { name: "write", description: "writes", inputSchema: schema }

/** What a hook makes of a listing. */
async function listed(tools: readonly unknown[]) {
  const engine = engineOf([
    hook("list", { on: "tools.list", phase: "onSuccess", rule: { apply: { result: { tools } } } }),
  ])
  const verdict = await engine.fire("tools.list", "onSuccess", { server: "fs", result: { tools: [read, write] } })
  return { tools: (verdict.result as { tools: unknown }).tools, failed: hookFrames(verdict)[0]?.failed?.kind }
}

describe("a listing of tools", () => {
  test("may lose a tool", async () => {
    expect(await listed([read])).toEqual({ tools: [read], failed: undefined })
  })

  test("may have one annotated", async () => {
    const told = {
      ...read,
      title: "Read",
      description: "reads one file",
      annotations: { readOnlyHint: true },
      _meta: { a: 1 },
    }
    expect(await listed([told, write])).toEqual({ tools: [told, write], failed: undefined })
  })

  test.each<[string, readonly unknown[]]>([
    ["an invented tool", [read, write, { ...read, name: "delete" }]],
    ["a tool listed twice", [read, read]],
    ["another input schema", [{ ...read, inputSchema: { type: "object", required: ["path"] } }]],
    ["an output schema that was not there", [{ ...read, outputSchema: schema }]],
    ["a tool that is none", ["read"]],
  ])("%s is bad output, and the listing stands", async (_, tools) => {
    expect(await listed(tools)).toEqual({ tools: [read, write], failed: "bad-output" })
  })
})

describe("a moment without a subject", () => {
  test("replaces nothing", async () => {
    const engine = engineOf([hook("answer", { on: "server.start", rule: { apply: { result: "up" } } })])
    const verdict = await engine.fire("server.start", "before", { server: "fs" })
    expect(hookFrames(verdict)[0]).toMatchObject({ changed: false, failed: { kind: "bad-output" } })
  })

  test("a prompt's arguments stay texts", async () => {
    const engine = engineOf([hook("count", { on: "prompt.get", rule: { apply: { input: { n: 1 } } } })])
    const verdict = await engine.fire("prompt.get", "before", { server: "fs", name: "ask", args: { n: "2" } })
    expect(verdict.input).toEqual({ n: "2" })
    expect(hookFrames(verdict)[0]?.failed?.kind).toBe("bad-output")
  })
})
