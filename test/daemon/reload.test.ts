import { spawn } from "node:child_process"
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { promptFiles } from "../../policy/file.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { withPromptTexts } from "../../policy/prompt-texts.ts"
import { EVENT, environment, folderWith, policy, rule } from "../cli/capture.ts"
import { BIN } from "../cli/process.ts"
import { type Loose, send } from "./client.ts"
import { daemonWith, type Started } from "./world.ts"

const USER = `version: 1\nhooks:\n  - { id: user, on: call, phase: before, effect: ask, floor: ask, rule: { refuse: "the user's" } }\n`

const PATIENCE = { timeout: 15_000 }

const refusing = (reason: string, more: object = {}): string => policy([rule("no", { refuse: reason })], more)

const put = ({ cwd }: Pick<Started, "cwd">, text: string, name = "p.json"): void => {
  const path = join(cwd, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** As editors and git do: a new file over the old one. */
const putByRename = (daemon: Pick<Started, "cwd">, text: string): void => {
  put(daemon, text, "p.json.tmp")
  renameSync(join(daemon.cwd, "p.json.tmp"), join(daemon.cwd, "p.json"))
}

const reason = async (daemon: Started, event: object = EVENT): Promise<unknown> =>
  (await daemon.decide(event)).body.refusal?.reason

const health = async (daemon: Started): Promise<unknown> => (await daemon.send({ path: "/healthz" })).body.policy

const reloads = async (daemon: Started): Promise<Loose[]> => {
  const response = await daemon.open({ path: "/v1/events?kinds=policy.&from=0" })
  const chunk = await new Promise<string>((resolve) => response.once("data", (data) => resolve(String(data))))
  response.destroy()
  return [...chunk.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
}

describe("a policy whose file changes", () => {
  it("is in force after each of fifty renames, with no moment without hooks between", async () => {
    const daemon = await daemonWith({ policy: refusing("v0") })
    let writing = true
    const outcomes = new Set<string>()
    const asking = (async () => {
      while (writing) {
        const { body } = await daemon.decide(EVENT)
        outcomes.add(`${body.outcome} ${/^v\d+$/.test(body.refusal?.reason)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    for (let version = 1; version <= 50; version++) {
      putByRename(daemon, refusing(`v${version}`))
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    await expect.poll(() => reason(daemon), PATIENCE).toBe("v50")
    writing = false
    await asking
    expect([...outcomes]).toEqual(["refuse true"])
    put(daemon, refusing("in place"))
    await expect.poll(() => reason(daemon), PATIENCE).toBe("in place")
  })

  it("stays the last good one while the file is bad, which log, health, figures and events say, until it is good", async () => {
    const daemon = await daemonWith({ policy: refusing("good") })
    put(daemon, '{"version":1,"hoks":[]}')
    await expect.poll(() => health(daemon), PATIENCE).toBe("bad: the last good one is in force")
    expect(await reason(daemon)).toBe("good")
    expect(daemon.log.at(-1)).toMatchObject({
      level: 50,
      message: "the policy is bad, and the last good one stays in force",
      error: expect.stringMatching(/^p\.json:1:14: error: unknown key `hoks`/),
    })
    const { text } = await daemon.send({ path: "/metrics" })
    expect(text).toContain('detent_policy_reloads_total{result="kept"} 1')
    expect(text).toContain("detent_policy_stale 1")
    expect((await reloads(daemon)).at(-1)).toMatchObject({ type: "policy.reloaded", error: expect.any(String) })
    expect((await daemon.send({ path: "/v1/settings/hooks" })).body).toMatchObject({
      hooks: [{ id: "no" }],
      stale: expect.stringContaining("unknown key"),
    })
    put(daemon, refusing("better"))
    await expect.poll(() => reason(daemon), PATIENCE).toBe("better")
    expect(await health(daemon)).toBe("in force")
    const last = (await reloads(daemon)).at(-1)!
    expect(last).toMatchObject({ type: "policy.reloaded", hooks: 1 })
    expect(last.error).toBeUndefined()
  })

  it("is not read while half of it is written", async () => {
    const daemon = await daemonWith({ policy: refusing("whole") })
    const next = refusing("next")
    for (let end = 0; end < next.length; end += 20) {
      put(daemon, next.slice(0, end))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    put(daemon, next)
    await expect.poll(() => reason(daemon), PATIENCE).toBe("next")
  })

  it("stays in force when the file that was named is deleted, and is taken up again when it is back", async () => {
    const daemon = await daemonWith({ policy: refusing("there") })
    rmSync(join(daemon.cwd, "p.json"))
    await expect.poll(() => health(daemon), PATIENCE).toMatch(/^bad/)
    expect(daemon.log.at(-1)!.error).toContain("the policy `p.json` is not there")
    expect(await reason(daemon)).toBe("there")
    put(daemon, refusing("back"))
    await expect.poll(() => reason(daemon), PATIENCE).toBe("back")
  })

  it("loses the hooks of a layer that is deleted for good, and says so", async () => {
    const cwd = folderWith({ "p.json": refusing("named"), "home/.config/detent/policy.yaml": USER })
    const daemon = await daemonWith({ cwd })
    expect((await daemon.decide(EVENT)).body.refusal).toMatchObject({ reason: "the user's" })
    rmSync(join(cwd, "home/.config/detent/policy.yaml"))
    await expect.poll(() => reason(daemon), PATIENCE).toBe("named")
    expect(daemon.log.at(-1)).toMatchObject({ message: "the policy was read again and is in force", hooks: 1 })
  })

  it("gains a layer that was not there at the start", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    put(daemon, USER, "home/.config/detent/policy.yaml")
    await expect.poll(() => reason(daemon), PATIENCE).toBe("the user's")
  })

  it("keeps the `autonomy.max` of the start, and takes a ceiling at once", async () => {
    const changing = rule("changes", { apply: { merge: { text: "y" } } })
    const daemon = await daemonWith({ policy: policy([changing], { "autonomy.max": "propose" }) })
    put(daemon, policy([changing], { "autonomy.max": "run" }))
    const notices = async () => (await daemon.send({ path: "/v1/settings/hooks" })).body.notices
    await expect.poll(notices, PATIENCE).toContain("`autonomy.max` has changed, and waits for a restart")
    expect((await daemon.decide(EVENT)).body.frames).toMatchObject([{ effect: "propose", clampedBy: ["daemon"] }])
    put(daemon, policy([changing], { "autonomy.max": "run", ceilings: [{ id: "freeze", max: "advise" }] }))
    const effect = async () => (await daemon.decide(EVENT)).body.frames[0].effect
    await expect.poll(effect, PATIENCE).toBe("advise")
  })

  it("lets what runs come to its end under the policy that it began with", async () => {
    const run = ["sh", "-c", `until [ -e go ]; do sleep 0.05; done; echo '{"refuse":"the old one"}'`]
    const place = { on: "call", phase: "before", when: { tool: EVENT.tool } }
    const waits = { id: "waits", ...place, effect: "ask", run, timeoutMs: 20_000 }
    const cwd = folderWith({ "p.json": policy([waits]) })
    const daemon = await daemonWith({ cwd })
    const running = reason(daemon)
    put(daemon, refusing("the new one"))
    await expect.poll(() => reason(daemon, { ...EVENT, tool: "other" }), PATIENCE).toBe("the new one")
    put(daemon, "", "go")
    expect(await running).toBe("the old one")
  })

  it("is read again when a prompt's file changes, and one that is bad leaves the last good one", async () => {
    const prompted = { id: "asks", on: "call", phase: "before", prompt: { file: "ask.md" } }
    const cwd = folderWith({ "p.json": policy([prompted, rule("no", { refuse: "no" })]), "ask.md": "Is it good?" })
    const daemon = await daemonWith({ cwd })
    put(daemon, "---\nmodel: [\n", "ask.md")
    await expect.poll(() => health(daemon), PATIENCE).toMatch(/^bad/)
    put(daemon, "Is it very good?", "ask.md")
    await expect.poll(() => health(daemon), PATIENCE).toBe("in force")
  })

  it("runs a module's new code when its file changes", async () => {
    const hook = { id: "m", on: "call", phase: "before", effect: "ask", module: "./m.mjs" }
    const cwd = folderWith({ "p.json": policy([hook]), "m.mjs": 'export default () => ({ refuse: "one" })' })
    const daemon = await daemonWith({ cwd })
    expect(await reason(daemon)).toBe("one")
    put(daemon, 'export default () => ({ refuse: "two" })', "m.mjs")
    await expect.poll(() => reason(daemon), PATIENCE).toBe("two")
  })
})

it("what stands in a prompt's file is part of the policy that was read", () => {
  const base = folderWith({
    "ask.md": "---\nsystem: Be brief.\npartials:\n  tail: { file: tail.md }\n---\nIs {{>tail}}",
    "tail.md": "it?",
  })
  const text = policy([
    { id: "p", on: "call", phase: "before", prompt: { file: "ask.md", system: "Be long." } },
    { id: "w", on: "call", phase: "before", workflow: { entry: "s", steps: { s: { prompt: { file: "ask.md" } } } } },
  ])
  const { hooks } = withPromptTexts(parsePolicy(text, { base, promptFiles }), base, promptFiles)
  const inFull = { text: "Is {{>tail}}", partials: { tail: "it?" } }
  expect(hooks[0]!.action).toEqual({ kind: "prompt", prompt: { ...inFull, system: "Be long." } })
  expect(hooks[1]!.action).toMatchObject({ steps: { s: { action: { prompt: { ...inFull, system: "Be brief." } } } } })
})

const EVERYTHING = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
)

it("servers that stay the same go on as they are, and one that changes is started anew", async () => {
  const served = (env: object, ...hooks: object[]) =>
    policy(hooks, { servers: { all: { command: [process.execPath, EVERYTHING, "stdio"], env } } })
  const daemon = await daemonWith({ policy: served({}) })
  const call = () => daemon.send({ path: "/v1/call", body: { server: "all", tool: "echo", args: { message: "hi" } } })
  const starts = async () => {
    const response = await daemon.open({ path: "/v1/events?kinds=server.start.finished,policy.&from=0" })
    const chunk = await new Promise<string>((resolve) => response.once("data", (data) => resolve(String(data))))
    response.destroy()
    return chunk.match(/^event: server\.start\.finished$/gm)?.length
  }
  expect((await call()).body.result.content[0].text).toBe("Echo: hi")
  put(daemon, served({}, rule("more", { apply: { merge: { message: "changed" } } })))
  await expect.poll(async () => (await call()).body.result.content[0].text, PATIENCE).toBe("Echo: changed")
  expect(await starts()).toBe(1)
  put(daemon, served({ X: "1" }))
  await expect.poll(async () => (await call()).body.result.content[0].text, PATIENCE).toBe("Echo: hi")
  expect(await starts()).toBe(2)
})

it("a daemon that gets SIGHUP reads its policy at once, and goes on", async () => {
  const cwd = folderWith({ "p.json": refusing("one") })
  const child = spawn(process.execPath, [BIN, "serve", "--policy", "p.json", "--socket", "run/d.sock"], {
    cwd,
    env: environment(join(cwd, "home")),
    stdio: ["ignore", "ignore", "pipe"],
  })
  let log = ""
  child.stderr.on("data", (text) => {
    log += text
  })
  const way = { socketPath: join(cwd, "run", "d.sock") }
  const decide = () =>
    send(way, { path: "/v1/decide", body: EVENT }).then(
      ({ body }) => body.refusal?.reason,
      () => "nobody",
    )
  await expect.poll(decide, PATIENCE).toBe("one")
  child.kill("SIGHUP")
  await expect.poll(() => log, PATIENCE).toContain("the policy was read again and is in force")
  expect(await decide()).toBe("one")
  child.kill("SIGTERM")
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0)
})
