import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { detent, folderWith, policy, rule } from "../cli/capture.ts"
import { BIN } from "../cli/process.ts"

const PLUGIN = ".opencode/plugin/detent.js"

interface Recorded {
  readonly input: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: what opencode hands out is written to
  readonly output: any
}

/** What opencode has handed to a plugin's function. */
const recorded = (name: string): Recorded =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../fixtures/agents/opencode/${name}.json`, import.meta.url)), "utf8"),
  )

type Hooks = Readonly<Record<string, (...given: unknown[]) => Promise<void>>>

/** The plugin that init has written, loaded and started as opencode does it. */
async function plugin(hooks: readonly object[], command = `'${process.execPath}' '${BIN}'`) {
  const cwd = folderWith({ "detent.json": policy(hooks) })
  const made = await detent(["init", "--agent", "opencode", "--yes", "--policy", "detent.json", "--command", command], {
    cwd,
  })
  expect(made.code).toBe(0)
  const { Detent } = await import(pathToFileURL(join(cwd, PLUGIN)).href)
  const logged: string[] = []
  const client = {
    app: { log: ({ body }: { body: { message: string } }) => Promise.resolve(logged.push(body.message)) },
  }
  const started: Hooks = await Detent({ client, directory: cwd, worktree: cwd, project: {}, $: undefined })
  return { cwd, logged, hooks: started }
}

const BEFORE = "tool.execute.before"
const AFTER = "tool.execute.after"
const bash = () => recorded("tool.execute.before.bash")
const ran = () => recorded("tool.execute.after.bash")

describe("opencode's plugin", () => {
  it("refuses a tool by an error with the reason", async () => {
    const { hooks } = await plugin([rule("no", { refuse: "not @target.command" }, { when: { kind: "shell" } })])
    const { input, output } = bash()
    await expect(hooks[BEFORE]!(input, output)).rejects.toThrow(/^not "echo hi/)
  })

  it("lets pass what no hook is about, and changes nothing of it", async () => {
    const { hooks } = await plugin([rule("no", { refuse: "no" }, { when: { kind: "read" } })])
    const { input, output } = bash()
    await hooks[BEFORE]!(input, output)
    expect(output).toEqual(bash().output)
  })

  it("replaces arguments in the object that opencode goes on with", async () => {
    const { hooks } = await plugin([rule("ls", { apply: { input: { command: "ls" } } })])
    const { input, output } = bash()
    const { args } = output
    await hooks[BEFORE]!(input, output)
    expect(args).toEqual({ command: "ls" })
    expect(output.args).toBe(args)
  })

  it("refuses a question, which it cannot put, with the question", async () => {
    const { hooks } = await plugin([rule("asks", { ask: "really?" })])
    const { input, output } = bash()
    await expect(hooks[BEFORE]!(input, output)).rejects.toThrow("really? (refused: opencode can put no question here)")
  })

  it("withholds a result with all that shows it, and adds advice below one", async () => {
    const secret = [rule("a", { refuse: "a key" }, { phase: "onSuccess" })]
    const { input, output } = ran()
    await (await plugin(secret)).hooks[AFTER]!(input, output)
    expect(output).toEqual({ title: "withheld", metadata: {}, output: "withheld: a key" })
    const advised = ran()
    await (await plugin([rule("a", { advise: "look" }, { phase: "onSuccess" })])).hooks[AFTER]!(
      advised.input,
      advised.output,
    )
    expect(advised.output).toEqual({ ...ran().output, output: "(no output)\nlook" })
    const replaced = ran()
    await (await plugin([rule("a", { apply: { result: "***" } }, { phase: "onSuccess" })])).hooks[AFTER]!(
      replaced.input,
      replaced.output,
    )
    expect(replaced.output.output).toBe("***")
  })

  it("stops a prompt, and denies a permission, but allows none", async () => {
    const { hooks } = await plugin([
      rule("no", { refuse: "no" }, { on: "prompt" }),
      rule("never", { refuse: "never" }, { on: "permission", when: { kind: "shell" } }),
    ])
    const { input, output } = recorded("chat.message")
    await expect(hooks["chat.message"]!(input, output)).rejects.toThrow("no")
    const asked = { permission: "bash", sessionID: "s", metadata: { command: "ls" } }
    const [status, open] = [{ status: "ask" }, { status: "ask" }]
    await hooks["permission.ask"]!(asked, status)
    expect(status).toEqual({ status: "deny" })
    await hooks["permission.ask"]!({ ...asked, permission: "read" }, open)
    expect(open).toEqual({ status: "ask" })
  })

  it("tells of the end of a turn, and of nothing that no point is about", async () => {
    const { cwd, hooks } = await plugin([
      { id: "ends", on: "turn", phase: "suffix", run: ["sh", "-c", "cat > ended.json"], effect: "advise" },
    ])
    await hooks.event!({ event: { type: "message.updated", properties: {} } })
    expect(existsSync(join(cwd, "ended.json"))).toBe(false)
    await hooks.event!({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
    expect(JSON.parse(readFileSync(join(cwd, "ended.json"), "utf8"))).toMatchObject({ on: "turn", session: "ses_1" })
  })

  it.each([
    ["cannot be started", "/gone/detent"],
    ["ends with 1 and says nothing", "false"],
    ["prints garbage", "echo garbage #"],
    ["is killed", "kill -9 $$ #"],
  ])("refuses a tool where Detent %s", async (_, command) => {
    const { hooks, logged } = await plugin([], command)
    const { input, output } = bash()
    await expect(hooks[BEFORE]!(input, output)).rejects.toThrow("Detent could not be asked")
    const after = ran()
    await hooks[AFTER]!(after.input, after.output)
    expect(after.output.output).toContain("withheld: Detent could not be asked")
    await hooks.event!({ event: { type: "session.idle", properties: {} } })
    expect(logged.at(-1)).toContain("Detent could not be asked")
  })

  it("is written once, taken away again, and takes no other file's place", async () => {
    const { cwd } = await plugin([])
    const words = ["init", "--agent", "opencode", "--yes"]
    const again = await detent([...words, "--policy", "detent.json", "--command", `'${process.execPath}' '${BIN}'`], {
      cwd,
    })
    expect(again.out).toContain("stays as it is")
    await detent([...words, "--remove"], { cwd })
    expect(existsSync(join(cwd, PLUGIN))).toBe(false)
    const other = folderWith({ [PLUGIN]: "export const Mine = async () => ({})" })
    const ran = await detent([...words, "--command", "detent"], { cwd: other })
    expect(ran).toMatchObject({ code: 1 })
    expect(readFileSync(join(other, PLUGIN), "utf8")).toContain("Mine")
  })
})
