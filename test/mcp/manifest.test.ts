import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { detent, folderWith, lines, policy, rule } from "../cli/capture.ts"
import { start } from "../cli/process.ts"
import { daemonWith } from "../daemon/world.ts"
import { throughGateway } from "./clients.ts"
import { plugin } from "./servers.ts"

const hook = (id: string, tool: string, more: object = {}): object => ({
  id,
  on: "call",
  phase: "before",
  plugin: `plug/${tool}`,
  ...more,
})
const manifest = (...hooks: object[]): string => JSON.stringify({ hooks })
const HINT = hook("hint", "hint", { when: { tool: "do" } })
const JUDGE = hook("judge", "judge", { when: { tool: "do" }, effect: "ask", failure: "closed" })

/** A folder with a policy whose server `plug` brings these hooks along. */
function world(hooks: readonly object[], { server = {}, more = {} }: { server?: object; more?: object } = {}): string {
  const cwd = folderWith({ "hooks.json": manifest(...hooks) })
  const plug = { ...plugin(join(cwd, "log"), join(cwd, "gone")), manifest: "hooks.json", ...server }
  writeFileSync(join(cwd, "p.json"), policy([], { servers: { plug, other: plugin(join(cwd, "other")) }, ...more }))
  return cwd
}

const POLICY = ["--policy", "p.json"]
const CALL = { on: "call", phase: "before", server: "plug", tool: "do", args: {} }
const decide = async (cwd: string, event: object = CALL, ...words: string[]) => {
  const stdin = JSON.stringify(event)
  const { code, out, err } = await detent(["decide", ...POLICY, "--event", "-", ...words], { cwd, stdin })
  const said = lines(out)
  return { code, err, verdict: said.at(-1)!, frames: said.slice(0, -1) }
}
const call = (cwd: string, ...words: string[]) => detent(["call", ...POLICY, "--format", "ndjson", ...words], { cwd })
const frame = (frames: readonly object[], id: string) =>
  frames.find((one) => "hook" in one && one.hook === id) as JsonObject | undefined

describe("the hooks of a server's manifest", () => {
  it("are answered by the server's own tools, and advise on its tools", async () => {
    const { code, out } = await call(world([HINT]), "plug/do", '{"n":1}')
    expect(code).toBe(0)
    expect(frame(lines(out), "hint")).toMatchObject({ action: "plugin", advise: [{ text: 'do with {"n":1}' }] })
  })

  it("go no further than advice unless the operator grants more, and what is lowered says by what", async () => {
    const bad = { ...CALL, args: { bad: true } }
    const least = await decide(world([JUDGE]), bad)
    expect(least.code).toBe(0)
    expect(frame(least.frames, "judge")).toMatchObject({
      effect: "advise",
      requested: "ask",
      clampedBy: ["daemon"],
      ceilings: [{ by: "daemon", origin: "servers.plug.grant (default)" }],
      dropped: [{ key: "refuse", level: "ask", allowed: "advise", by: ["daemon"] }],
    })
    const more = await decide(world([JUDGE], { server: { grant: { max: "ask" } } }), bad)
    expect(more).toMatchObject({ code: 2, verdict: { refusal: { hook: "judge", reason: "the plugin says no" } } })
    const low = await decide(world([JUDGE], { server: { grant: { max: "off" } } }), bad)
    expect(frame(low.frames, "judge")).toMatchObject({
      skipped: "off",
      ceilings: [{ origin: expect.stringMatching(/^servers\.plug\.grant \(p\.json:1\)$/) }],
    })
  })

  it("stay under a ceiling that is lower than their grant, and it is that one which is told", async () => {
    const cwd = world([JUDGE], { server: { grant: { max: "ask" } }, more: { "autonomy.max": "advise" } })
    const { frames } = await decide(cwd)
    expect(frame(frames, "judge")?.ceilings).toEqual([{ by: "daemon", origin: "autonomy.max (p.json:1)" }])
  })

  it("never fire on other tools than those of their grant, whatever their matchers say", async () => {
    const anything = [{ id: "all", on: "call", phase: "before", rule: { advise: "seen" } }]
    const other = { ...CALL, server: "other" }
    expect((await decide(world(anything), other)).frames).toEqual([])
    expect((await decide(world(anything))).frames).toMatchObject([{ hook: "all", advise: [{ text: "seen" }] }])
    const wide = world(anything, { server: { grant: { on: ["other/d*"] } } })
    expect((await decide(wide, other)).frames).toMatchObject([{ hook: "all" }])
    expect((await decide(wide)).frames).toEqual([])
  })

  it("follow the hooks of the policy, and those of another server in the order of the servers", async () => {
    const cwd = folderWith({
      "a.json": manifest({ id: "a", on: "call", phase: "before", rule: { advise: "a" } }),
      "b.json": manifest({ id: "b", on: "call", phase: "before", rule: { advise: "b" } }),
    })
    const grant = { on: "**" }
    const servers = { b: { ...plugin(), manifest: "b.json", grant }, a: { ...plugin(), manifest: "a.json", grant } }
    writeFileSync(join(cwd, "p.json"), policy([rule("own", { advise: "own" })], { servers }))
    const { frames } = await decide(cwd)
    expect(frames.map((one) => (one as JsonObject).hook)).toEqual(["own", "b", "a"])
  })

  it("start their server only where one of them is concerned", async () => {
    const cwd = world([HINT])
    await decide(cwd, { ...CALL, server: "other" })
    expect(existsSync(join(cwd, "log"))).toBe(false)
    await decide(cwd)
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("started\n")
  })

  it("stand before the calls of a script, too", () => {
    const cwd = world([JUDGE], { server: { grant: { max: "ask", on: "other/do" } } })
    const code = 'return await call("other/do", { bad: true }).catch((why) => why.message)'
    const { code: ended, out } = start(["exec", ...POLICY, code], { cwd })
    expect([ended, out]).toEqual([0, "the plugin says no\n"])
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("started\n")
  })

  it("fail while the server is down: closed ones refuse, open ones are told", async () => {
    const cwd = world([HINT, JUDGE], { server: { grant: { max: "ask" } } })
    writeFileSync(join(cwd, "gone"), "")
    const down = await decide(cwd)
    expect(down).toMatchObject({ code: 2, verdict: { refusal: { hook: "judge", code: "hook_failed" } } })
    const why = expect.stringContaining("the server `plug` did not start: it ended with exit code 7")
    expect(frame(down.frames, "hint")).toMatchObject({ failed: { kind: "unavailable", message: why } })
    rmSync(join(cwd, "gone"))
    expect((await decide(cwd)).code).toBe(0)
  })

  it("that are rules are in force while the server is up, too", async () => {
    const cwd = world([{ id: "all", on: "call", phase: "before", rule: { refuse: "no" }, effect: "ask" }], {
      server: { grant: { max: "ask" } },
    })
    expect((await decide(cwd)).code).toBe(2)
    writeFileSync(join(cwd, "gone"), "")
    const { code, frames } = await decide(cwd)
    expect(code).toBe(0)
    expect(frame(frames, "all")).toMatchObject({ failed: { kind: "unavailable" } })
  })

  it("have their time limit, which a server that does not start in it uses up", async () => {
    const cwd = world([{ ...(JUDGE as JsonObject), timeoutMs: 50 }], { server: { grant: { max: "ask" } } })
    const servers = {
      plug: {
        command: [process.execPath, "-e", "setTimeout(() => {}, 60000)"],
        manifest: "hooks.json",
        grant: { max: "ask" },
      },
    }
    writeFileSync(join(cwd, "p.json"), policy([], { servers }))
    const { code, frames } = await decide(cwd)
    expect(code).toBe(2)
    expect(frame(frames, "judge")).toMatchObject({ failed: { kind: "timeout" } })
  })
})

describe("a policy that nobody trusts", () => {
  it("brings no hook of a manifest into force, and its manifests are not even read", async () => {
    const cwd = folderWith({})
    const plug = { ...plugin(join(cwd, "log")), manifest: "hooks.json" }
    writeFileSync(join(cwd, "detent.json"), policy([], { servers: { plug } }))
    const event = ["decide", "--event", "-"]
    const stdin = JSON.stringify(CALL)
    const unread = await detent(event, { cwd, stdin })
    expect(unread.code).toBe(0)
    expect(unread.err).toContain("is not trusted, so the hooks of these manifests are not in force")
    writeFileSync(join(cwd, "hooks.json"), manifest(HINT))
    expect(lines((await detent(event, { cwd, stdin })).out)).toHaveLength(1)
    const listed = await detent(["hooks", "list"], { cwd })
    expect(lines(listed.out)).toMatchObject([
      { id: "hint", inForce: false, why: expect.stringContaining("not trusted") },
    ])
    const { out } = await detent(["trust", "--format", "text"], { cwd })
    expect(out).toContain("hook hint: call before, plugin `plug/hint`, up to advise")
    expect(out).toMatch(/manifest .*hooks\.json, as it is now/)
    expect(frame(lines((await detent(event, { cwd, stdin })).out), "hint")).toBeDefined()
  })

  it("is not trusted with a manifest that has changed since, also where it comes from the cache", async () => {
    const cwd = folderWith({ "hooks.json": manifest(rule("a", { advise: "a" })) })
    const plug = { ...plugin(), manifest: "hooks.json" }
    writeFileSync(join(cwd, "detent.json"), policy([], { servers: { plug } }))
    const stdin = JSON.stringify(CALL)
    const fired = () => {
      const { out, err } = start(["decide", "--event", "-"], { cwd, stdin })
      return { ids: lines(out).flatMap(({ hook }) => hook ?? []), err }
    }
    const changed = join(cwd, "hooks.json")
    start(["trust"], { cwd })
    expect(fired().ids).toEqual(["a"])
    writeFileSync(changed, manifest(rule("b", { advise: "b" })))
    for (const { ids, err } of [fired(), fired()]) {
      expect(ids).toEqual([])
      expect(err).toContain("hooks.json` is not trusted, so its hooks are not in force")
    }
    const listed = await detent(["hooks", "list"], { cwd })
    expect(lines(listed.out)).toMatchObject([{ id: "b", inForce: false, why: expect.stringContaining("as it is now") }])
    start(["trust"], { cwd })
    expect(fired().ids).toEqual(["b"])
  })
})

describe("what is said of them", () => {
  it("check finds what is wrong in the manifest, at its place there", async () => {
    const cwd = world([])
    writeFileSync(
      join(cwd, "hooks.yaml"),
      "hooks:\n  - on: call\n    phase: befor\n    plugin: plug/do\n    flor: ask\n",
    )
    const plug = { ...plugin(), manifest: "hooks.yaml" }
    writeFileSync(join(cwd, "p.json"), policy([], { servers: { plug } }))
    const { code, out } = await detent(["check", "p.json"], { cwd })
    expect(code).toBe(1)
    expect(out.split("\n")[0]).toMatch(/^hooks\.yaml:3:12: error: unknown phase `befor`/)
    expect(out.split("\n")[1]).toBe("hooks.yaml:5:5: error: unknown key `flor` in `hooks[0]` (did you mean `floor`?)")
  })

  it.each([
    ["", "hooks.json: error: the manifest is empty\n"],
    ["[]", "hooks.json:1:1: error: a manifest must be an object with `hooks`"],
    ["{}", "hooks.json:1:1: error: the manifest needs `hooks`"],
    ['{"hooks": [null]}', "hooks.json:1:12: error: `hooks[0]` must be an object, one hook, not null"],
    [
      '{"servers": {}, "hooks": []}',
      "hooks.json:1:2: error: unknown key `servers` (known here are $schema, version, hooks)",
    ],
  ])("a manifest that is none is an error: %s", async (text, found) => {
    const cwd = world([])
    writeFileSync(join(cwd, "hooks.json"), text)
    const { out } = await detent(["check", "p.json"], { cwd })
    expect(out).toContain(found)
  })

  it("explain and the list say where they fire, and what lowers them", async () => {
    const cwd = world([JUDGE])
    const explained = await detent(["explain", ...POLICY, "--format", "text"], { cwd })
    expect(explained.out).toContain("comes with a server: fires on plug/** alone, while its session lives")
    expect(explained.out).toContain("lowered by daemon: servers.plug.grant (default)")
    const listed = await detent(["hooks", "list", ...POLICY], { cwd })
    expect(lines(listed.out)).toMatchObject([
      {
        id: "judge",
        effective: "advise",
        why: expect.stringContaining("fires on plug/** alone"),
        origins: ["hooks.json:1"],
      },
    ])
    const off = await detent(["explain", ...POLICY, "--event", "-"], {
      cwd,
      stdin: JSON.stringify({ ...CALL, server: "other" }),
    })
    expect(lines(off.out)).toMatchObject([{ hook: "judge", matches: false, within: "plug/**" }])
  })

  it("a changed manifest is read anew, also where the policy comes from the cache", () => {
    const cwd = world([{ id: "a", on: "call", phase: "before", rule: { advise: "a" } }])
    const ids = () => {
      const { out } = start(["decide", ...POLICY, "--event", "-"], { cwd, stdin: JSON.stringify(CALL) })
      return lines(out).flatMap(({ hook }) => hook ?? [])
    }
    expect([ids(), ids()]).toEqual([["a"], ["a"]])
    writeFileSync(join(cwd, "hooks.json"), manifest({ id: "b", on: "call", phase: "before", rule: { advise: "b" } }))
    expect(ids()).toEqual(["b"])
  })
})

describe("where servers stay", () => {
  const open: Client[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()))
  })

  const count = (file: string): number => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0)

  it("the gateway starts them at once, and they are in force again when their server is back", async () => {
    const cwd = folderWith({})
    const [log, gone] = [join(cwd, "log"), join(cwd, "gone")]
    const plug = { ...plugin(log, gone), manifest: "hooks.json", grant: { max: "ask", on: "other/do" } }
    const { client, stderr } = await throughGateway(
      { servers: { plug, other: plugin() } },
      { files: { "hooks.json": manifest(JUDGE) } },
    )
    open.push(client)
    await vi.waitFor(() => expect(count(log)).toBe(1))
    const ask = async (args: JsonObject = {}) =>
      (await client.callTool({ name: "other__do", arguments: args })) as JsonObject
    expect(await ask({ bad: true })).toMatchObject({ isError: true, _meta: { "detent/refusal": { hook: "judge" } } })
    expect((await ask()).isError).toBeUndefined()
    writeFileSync(gone, "")
    await client.callTool({ name: "plug__exit", arguments: {} }).catch(() => {})
    expect(await ask()).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "hook_failed" } } })
    rmSync(gone)
    await vi.waitFor(async () => expect((await ask()).isError).toBeUndefined(), { timeout: 10_000, interval: 200 })
    expect(count(log)).toBe(2)
    expect(stderr()).toContain("judge")
  })

  it("the gateway says so where one does not start", async () => {
    const cwd = folderWith({ gone: "" })
    const plug = { ...plugin(join(cwd, "log"), join(cwd, "gone")), manifest: "hooks.json" }
    const { client, stderr } = await throughGateway({ servers: { plug } }, { files: { "hooks.json": manifest(HINT) } })
    open.push(client)
    await vi.waitFor(() =>
      expect(stderr()).toContain("the hooks of `plug` cannot run: the server `plug` did not start"),
    )
  })

  it("the daemon starts them at once, and decides by them", async () => {
    const cwd = folderWith({ "hooks.json": manifest(JUDGE) })
    const log = join(cwd, "log")
    const plug = { ...plugin(log), manifest: "hooks.json", grant: { max: "ask" } }
    writeFileSync(join(cwd, "p.json"), policy([], { servers: { plug } }))
    const { decide: ask, send } = await daemonWith({ cwd })
    await vi.waitFor(() => expect(count(log)).toBe(1))
    expect((await ask({ ...CALL, args: { bad: true } })).body).toMatchObject({ outcome: "refuse" })
    expect((await send({ path: "/v1/settings/hooks", method: "GET" })).body).toMatchObject({
      hooks: [{ id: "judge", layer: "manifest", within: "plug/**" }],
    })
    writeFileSync(join(cwd, "hooks.json"), manifest(rule("new", { refuse: "new" }, { effect: "ask" })))
    await vi.waitFor(
      async () => expect((await ask(CALL)).body).toMatchObject({ refusal: { hook: "new", reason: "new" } }),
      { timeout: 10_000, interval: 100 },
    )
    expect(count(log)).toBe(1)
  })
})
