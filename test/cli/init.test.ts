import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { DIALECTS } from "../../dialects/dialects.ts"
import { entriesOf, lineIn } from "../../dialects/setup/entries.ts"
import { SETUP_NAMES, setupRow } from "../../dialects/setup/places.ts"
import { detent, environment, folderWith, policy, rule } from "./capture.ts"
import { BIN } from "./process.ts"

const GUARD = policy([rule("no-shell", { refuse: "not @target.command" }, { when: { kind: "shell" }, effect: "ask" })])
const SETTINGS = ".claude/settings.json"

/** What each agent sends before its shell runs, at the event that init writes down for it. */
const SHELL: Readonly<Record<string, readonly [string, object]>> = {
  "claude-code": [
    "PreToolUse",
    { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } },
  ],
  codex: [
    "PreToolUse",
    {
      session_id: "s",
      turn_id: "t",
      model: "m",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    },
  ],
  gemini: [
    "BeforeTool",
    {
      session_id: "s",
      timestamp: "2026-01-01T00:00:00Z",
      hook_event_name: "BeforeTool",
      tool_name: "run_shell_command",
      tool_input: { command: "ls" },
    },
  ],
  cursor: [
    "preToolUse",
    {
      conversation_id: "c",
      generation_id: "g",
      cursor_version: "3",
      hook_event_name: "preToolUse",
      tool_name: "Shell",
      tool_input: { command: "ls" },
    },
  ],
  vscode: [
    "PreToolUse",
    {
      sessionId: "s",
      timestamp: "2026-01-01T00:00:00Z",
      hookEventName: "PreToolUse",
      tool_name: "runInTerminal",
      tool_input: { command: "ls" },
    },
  ],
  copilot: ["preToolUse", { sessionId: "s", timestamp: 1, toolName: "bash", toolArgs: { command: "ls" } }],
}

const commandIn = (cwd: string, agent: string, event: string): string => {
  const row = setupRow(agent)!
  const text = readFileSync(join(cwd, row.project), "utf8")
  return String(lineIn(entriesOf(text, row.shape).find((one) => one.event === event)!.entry))
}

const shell = (line: string, cwd: string, stdin: object) =>
  spawnSync("sh", ["-c", line], {
    cwd,
    input: JSON.stringify(stdin),
    env: environment(join(cwd, "home")),
    encoding: "utf8",
  })

describe.each(SETUP_NAMES)("init --agent %s", (agent) => {
  const [event, payload] = SHELL[agent]!

  it("writes a command that really refuses, run as the agent runs it", async () => {
    const cwd = folderWith({ "detent.json": GUARD })
    // A path with a space and a quote in it is one word all the same.
    const program = join(cwd, "it's here", "detent")
    mkdirSync(join(cwd, "it's here"))
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
    chmodSync(program, 0o755)
    const words = ["init", "--agent", agent, "--yes", "--command", `'${program.replace("'", "'\\''")}'`]
    expect(await detent(words, { cwd })).toMatchObject({ code: 0 })
    const ran = shell(commandIn(cwd, agent, event), cwd, payload)
    expect(ran).toMatchObject({ status: 0 })
    expect(ran.stdout).toContain('not \\"ls\\"')
    expect(ran.stdout).toMatch(/"deny"/)
  })

  it("refuses where Detent cannot be started, and says why on stderr", async () => {
    const cwd = folderWith()
    await detent(["init", "--agent", agent, "--yes", "--command", "/gone/detent"], { cwd })
    const ran = shell(commandIn(cwd, agent, event), cwd, payload)
    expect(ran).toMatchObject({ status: 2, stdout: "" })
    expect(ran.stderr).toContain("/gone/detent")
  })

  it("has every event that its table knows, once, and gives each the time that it says", async () => {
    const cwd = folderWith()
    await detent(["init", "--agent", agent, "--yes", "--command", "detent"], { cwd })
    const row = setupRow(agent)!
    const entries = entriesOf(readFileSync(join(cwd, row.project), "utf8"), row.shape)
    const wanted = Object.keys(DIALECTS[agent]!.moments).filter((name) => !row.leaves?.includes(name))
    expect(entries.map((one) => one.event)).toEqual(wanted)
    for (const { entry } of entries) {
      const said = / --timeout (\S+)/.exec(String(lineIn(entry)))?.[1]
      const written = entry.timeout ?? entry.timeoutSec
      expect(written).toEqual(said === undefined ? undefined : Number(said) * (agent === "gemini" ? 1000 : 1))
    }
  })

  it("is undone by --remove", async () => {
    const cwd = folderWith()
    await detent(["init", "--agent", agent, "--yes", "--command", "detent"], { cwd })
    await detent(["init", "--agent", agent, "--yes", "--remove"], { cwd })
    expect(existsSync(join(cwd, setupRow(agent)!.project))).toBe(false)
  })
})

describe("init", () => {
  it("only shows what it would write, unless it is told to write it", async () => {
    const cwd = folderWith({ [SETTINGS]: '{"model":"x"}' })
    const ran = await detent(["init", "--agent", "claude-code", "--command", "detent"], { cwd })
    expect(ran.out).toContain(
      '"command":"detent hook claude-code --timeout 600 --on-failure closed || exit 2 # detent"',
    )
    expect(ran.err).toContain("nothing is written yet")
    expect(readFileSync(join(cwd, SETTINGS), "utf8")).toBe('{"model":"x"}')
  })

  it("leaves a file that it cannot read as it is, and all others, too", async () => {
    const cwd = folderWith({ [SETTINGS]: "{ // mine\n}" })
    const ran = await detent(["init", "--agent", "codex", "--agent", "claude-code", "--yes", "--command", "d"], { cwd })
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.err).toContain("is left as it is: it is no JSON that can be read")
    expect(readFileSync(join(cwd, SETTINGS), "utf8")).toBe("{ // mine\n}")
    expect(existsSync(join(cwd, ".codex"))).toBe(false)
  })

  it("puts no gate up whose policy does not load: it would refuse everything", async () => {
    const cwd = folderWith({ "detent.json": policy([{ on: "cal", phase: "before", rule: {} }]) })
    const ran = await detent(["init", "--agent", "claude-code", "--yes", "--command", "detent"], { cwd })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain("unknown point `cal`")
    expect(existsSync(join(cwd, SETTINGS))).toBe(false)
    expect(await detent(["init", "--agent", "claude-code", "--remove"], { cwd })).toMatchObject({ code: 0 })
  })

  it("keeps a link a link, and the file's mode", async () => {
    const cwd = folderWith({ "dotfiles/settings.json": "{}" })
    chmodSync(join(cwd, "dotfiles/settings.json"), 0o600)
    mkdirSync(join(cwd, ".claude"))
    symlinkSync("../dotfiles/settings.json", join(cwd, SETTINGS))
    await detent(["init", "--agent", "claude-code", "--yes", "--command", "detent"], { cwd })
    expect(lstatSync(join(cwd, SETTINGS)).isSymbolicLink()).toBe(true)
    expect(statSync(join(cwd, SETTINGS)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(cwd, "dotfiles/settings.json"), "utf8")).toContain("detent hook claude-code")
  })

  it("finds the project's folder from inside of it, and an agent's own folder where a variable names it", async () => {
    const cwd = folderWith({ ".git/HEAD": "", "deep/er/x": "" })
    const deep = await detent(["init", "--agent", "gemini", "--command", "d"], { cwd: join(cwd, "deep/er") })
    expect(deep.out).toContain(`gemini: ${cwd}/.gemini/settings.json is made`)
    const own = await detent(["init", "--agent", "codex", "--user", "--command", "d"], {
      cwd,
      env: { CODEX_HOME: "/elsewhere" },
    })
    expect(own.out).toContain("/elsewhere/hooks.json")
  })

  it("says what it needs", async () => {
    expect((await detent(["init"])).err).toContain("init needs --agent NAME")
    expect((await detent(["init", "--agent", "codx"])).err).toContain("did you mean `codex`?")
  })
})
