import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { lines } from "../cli/capture.ts"
import { throughGateway } from "./clients.ts"
import { plugin } from "./servers.ts"

const open: Client[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** A client that may run code, and the frames of what it ran. */
async function gateway(policy: JsonObject = {}) {
  const servers = { plug: plugin() }
  const driven = await throughGateway({ servers, "mcp.exec": true, ...policy }, { words: ["--frames", "frames"] })
  open.push(driven.client)
  const exec = async (args: JsonObject) =>
    (await driven.client.callTool({ name: "detent_exec", arguments: { code: "return 1", ...args } })) as JsonObject
  const frames = () => lines(readFileSync(join(driven.folder, "frames"), "utf8"))
  return { ...driven, exec, frames, hooks: () => frames().filter(({ type }) => type === "hook") }
}

const texts = (result: JsonObject) => (result.content as { text: string }[]).map(({ text }) => text)
const own = (id: string, rule: object, more: object = {}): JsonObject => ({
  id,
  on: "script",
  phase: "before",
  rule,
  effect: "ask",
  ...more,
})
const GUARD = own("guard", { refuse: "not here" }, { when: { if: { in: ["danger", { var: "code" }] } } })

describe("what one call of detent_exec brings along", () => {
  it("is listed with its shape", async () => {
    const { client } = await gateway()
    const tool = (await client.listTools()).tools.find(({ name }) => name === "detent_exec")
    expect(tool?.inputSchema).toMatchObject({
      required: ["code"],
      properties: { script: { properties: { onError: {}, prefix: {} } }, hooks: { type: "array" } },
    })
  })

  it("are lines inside the script, which follow the operator's and take the place of none", async () => {
    const { exec } = await gateway({ "script.prefix": ["emit('operator')"] })
    const said = texts(await exec({ script: { prefix: ["emit('caller')"], suffix: "emit('end')" } }))[0]!
    expect(lines(said).map(({ value }) => value)).toEqual(["operator", "caller", "end"])
  })

  it("are hooks, which run for this call alone", async () => {
    const { exec, hooks } = await gateway()
    expect(await exec({ hooks: [own("mine", { refuse: "no" })] })).toMatchObject({
      isError: true,
      _meta: { "detent/refusal": { reason: "no" } },
    })
    expect(texts(await exec({}))).toEqual(["1"])
    expect(hooks()).toHaveLength(1)
  })

  it("may be other actions than rules, as the code is", async () => {
    const { exec, hooks } = await gateway()
    const run = [process.execPath, "-e", "console.log(JSON.stringify({ advise: 'from a program' }))"]
    await exec({ hooks: [{ on: "script", phase: "before", run }] })
    expect(hooks()).toMatchObject([{ action: "run", advise: [{ text: "from a program" }] }])
  })

  it("never removes or outranks a hook of the operator's", async () => {
    const { exec, hooks } = await gateway({ hooks: [GUARD], "hooks.autonomy": "ask" })
    const code = "return 'danger'"
    const off = own("guard", { advise: "nothing" }, { enabled: false })
    const rewrite = own("rewrite", { apply: { input: [7] } }, { effect: "apply" })
    expect(await exec({ code, hooks: [off, rewrite] })).toMatchObject({
      isError: true,
      _meta: { "detent/refusal": { reason: "not here" } },
    })
    expect(hooks().map(({ hook, skipped }) => [hook, skipped])).toEqual([
      ["guard", undefined],
      ["guard", "disabled"],
      ["rewrite", undefined],
    ])
    expect(hooks()[2]).toMatchObject({ effect: "ask", requested: "apply", clampedBy: ["caller"], changed: false })
  })

  it("is not run where hooks are switched off", async () => {
    const { exec } = await gateway({ "features.hooks": false })
    expect(texts(await exec({ hooks: [own("mine", { refuse: "no" })] }))).toEqual(["1"])
  })

  it.each([
    [{ hooks: [own("mine", { refuse: "no" }, { floor: "ask" })] }, "has a floor in a layer that is not trusted"],
    [{ hooks: [own("mine", { refuse: "no" }, { on: "call" })] }, "the hook `mine` is on `call`"],
    [{ hooks: [{ on: "script" }] }, "has no action"],
    [{ hooks: "none" }, "`hooks` must be a list"],
    [{ script: { prefixx: "1" } }, "unknown: `script.prefixx`"],
    [{ script: { prefix: 1 } }, "`script.prefix` must be a text or a list of texts"],
    [{ code: 1 }, "`code` must be a text"],
    [{ more: true }, "unknown: `more`"],
  ])("is an error where it does not fit: %j", async (args, message) => {
    const { exec } = await gateway()
    await expect(exec(args)).rejects.toThrow(message)
  })
})
