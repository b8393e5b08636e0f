import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, folderWith } from "./capture.ts"
import { BIN, start } from "./process.ts"

const DETENT = `${process.execPath} ${BIN}`

/** A guard as people write them: it reads what its host sends, and ends with 2. */
const GUARD = `#!/bin/sh
if grep -q 'rm -rf'; then echo "not with rm -rf" >&2; exit 2; fi
`
const at = "2026-01-01T00:00:00Z"
const tool = (tool_name: string, command: string) => ({ tool_name, tool_input: { command } })

interface Host {
  readonly file: string
  readonly config: object
  readonly words?: readonly string[]
  payload(command: string): object
}

const groups = (event: string) => ({
  hooks: { [event]: [{ matcher: "", hooks: [{ type: "command", command: "./guard.sh" }] }] },
})

const HOSTS: Readonly<Record<string, Host>> = {
  "claude-code": {
    file: ".claude/settings.json",
    config: groups("PreToolUse"),
    payload: (command) => ({ session_id: "s", hook_event_name: "PreToolUse", ...tool("Bash", command) }),
  },
  codex: {
    file: ".codex/hooks.json",
    config: groups("PreToolUse"),
    payload: (command) => ({
      session_id: "s",
      turn_id: "t",
      model: "m",
      hook_event_name: "PreToolUse",
      ...tool("Bash", command),
    }),
  },
  gemini: {
    file: ".gemini/settings.json",
    config: groups("BeforeTool"),
    payload: (command) => ({
      session_id: "s",
      timestamp: at,
      hook_event_name: "BeforeTool",
      ...tool("run_shell_command", command),
    }),
  },
  cursor: {
    file: ".cursor/hooks.json",
    config: { version: 1, hooks: { beforeShellExecution: [{ command: "./guard.sh" }] } },
    payload: (command) => ({
      conversation_id: "c",
      generation_id: "g",
      cursor_version: "3",
      hook_event_name: "beforeShellExecution",
      command,
    }),
  },
  vscode: {
    file: ".github/hooks/mine.json",
    config: { hooks: { PreToolUse: [{ type: "command", command: "./guard.sh" }] } },
    payload: (command) => ({
      sessionId: "s",
      timestamp: at,
      hookEventName: "PreToolUse",
      ...tool("runInTerminal", command),
    }),
  },
  copilot: {
    file: ".github/hooks/mine.json",
    config: { version: 1, hooks: { preToolUse: [{ type: "command", bash: "./guard.sh" }] } },
    words: ["--event", "preToolUse"],
    payload: (command) => ({ sessionId: "s", timestamp: 1, toolName: "bash", toolArgs: { command } }),
  },
}

describe.each(Object.entries(HOSTS))("a guard of %s", (agent, { file, config, payload, words = [] }) => {
  it("blocks as before when it has been imported, and lets pass what it let pass", async () => {
    const cwd = folderWith({ [file]: config, "guard.sh": GUARD })
    chmodSync(join(cwd, "guard.sh"), 0o755)
    const imported = await detent(["import", agent, "--command", DETENT], { cwd })
    expect(imported).toMatchObject({ code: 0 })
    writeFileSync(join(cwd, "made.yaml"), imported.out)
    expect((await detent(["check", "--strict", "made.yaml"], { cwd })).code).toBe(0)
    const ask = (command: string) =>
      start(["hook", agent, "--policy", "made.yaml", ...words], { cwd, stdin: JSON.stringify(payload(command)) })
    expect(ask("rm -rf /").out).toContain("not with rm -rf")
    expect(ask("ls")).toMatchObject({ code: 0, out: "" })
  })
})

describe("a folder of vix", () => {
  it("is imported hook by hook, and what is skipped there is named", async () => {
    const command = `cat > got.json; echo '{"behavior":"deny","reason":"says vix"}'`
    const hook = {
      trigger: { event: "PreToolUse", matcher: "bash" },
      mode: "sync",
      blocking: true,
      command,
      timeout: "9s",
    }
    const cwd = folderWith({
      "hooks/guard/hook.json": hook,
      "hooks/broken/hook.json": "{",
      "hooks/told/hook.json": { ...hook, command: "true", mode: "async", blocking: false },
    })
    const imported = await detent(["import", "vix", "hooks", "--command", DETENT, "--out", "made.yaml"], { cwd })
    expect(imported.err).toContain("hooks/broken/hook.json: warning: vix skips it: it is no JSON")
    expect(imported.err).toContain("asynchronous: whatever it decides counts for nothing")
    expect((await detent(["check", "--strict", "made.yaml"], { cwd })).code).toBe(0)
    const event = { on: "call", phase: "before", server: "vix", tool: "bash", args: { command: "ls" } }
    const ran = start(["decide", "--policy", "made.yaml", "--event", "-"], { cwd, stdin: JSON.stringify(event) })
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.out).toContain("says vix")
    expect(existsSync(join(cwd, "got.json"))).toBe(true)
  })
})

const warnings = async (entry: object, matcher?: string, more: object = {}, agent = "claude-code") => {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }
  const cwd = folderWith({ "s.json": { hooks: { PreToolUse: [group] }, ...more } })
  const ran = await detent(["import", agent, "s.json", "--command", "detent"], { cwd })
  return { ...ran, cwd }
}
const TRUE = { type: "command", command: "true" }

describe("what does not hold what it promises is said, with its place", () => {
  it.each<[string, object, string | undefined, string]>([
    ["a guard that fails open", TRUE, "Bash", "s.json:1: warning: PreToolUse: it fails open"],
    ["a tool in the wrong case", TRUE, "bash", "did it mean `Bash`?"],
    ["a server without its tools", TRUE, "mcp__memory", "for all of a server's write `mcp__memory__.*`"],
    ["a list that older releases never match", TRUE, "Edit,Write", "matches nothing before Claude Code 2.1.191"],
    ["a regex that cannot be said", TRUE, "(?!Bash)", "all tools are meant"],
    ["a script that is not there", { ...TRUE, command: "./gone.sh" }, "Bash", "`./gone.sh` is not there"],
    ["an interpreter without its script", { ...TRUE, command: "python3 ./gone.py" }, "Bash", "which locks every tool"],
    ["a filter that is approximated", { ...TRUE, if: "Bash(git push *)" }, "Bash", "is approximated"],
    ["a hook in the background", { ...TRUE, async: true }, "Bash", "asynchronous"],
    ["a kind of hook that there is not", { type: "http", url: "https://example.com" }, "Bash", "it is left out"],
  ])("%s", async (_, entry, matcher, warning) => {
    const ran = await warnings(entry, matcher)
    expect(ran.code).toBe(0)
    expect(ran.err).toContain(warning)
  })

  it("a script that may not be executed, hooks that are switched off, events that are none, and Detent itself", async () => {
    const cwd = folderWith({
      "guard.sh": GUARD,
      "s.json": {
        disableAllHooks: true,
        hooks: {
          PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh" }] }],
          PreToolUsed: [{ hooks: [TRUE] }],
          Stop: [{ hooks: [{ type: "command", command: "detent hook claude-code" }] }],
          "Session Start": {},
        },
      },
    })
    const { err, out } = await detent(["import", "claude-code", "s.json", "--command", "detent"], { cwd })
    expect(err).toContain("`./guard.sh` may not be executed")
    expect(err).toContain("`disableAllHooks` is set")
    expect(err).toContain("did it mean `PreToolUse`?")
    expect(err).toContain("it is Detent itself")
    expect(err).toContain("`hooks.Session Start` is no list")
    expect(out).toContain("enabled: false")
  })

  it("what Codex and VS Code pass over", async () => {
    expect((await warnings({ type: "prompt", prompt: "ok?" }, "Bash", {}, "codex")).err).toContain("it never runs")
  })

  it("a guard that its host closes is closed here", async () => {
    const ran = await warnings({ ...TRUE, onFailure: "block", timeout: 7 }, "Bash")
    expect(ran.err).not.toContain("fails open")
    expect(ran.out).toContain('failure: "closed"')
    expect(ran.out).toContain("timeoutMs: 7000")
  })
})

describe("matchers mean what they mean to the host", () => {
  const runs = async (matcher: string, server: string, name: string): Promise<boolean> => {
    const { out, cwd } = await warnings(TRUE, matcher)
    writeFileSync(join(cwd, "made.yaml"), out)
    const event = { on: "call", phase: "before", server, tool: name, args: {} }
    writeFileSync(join(cwd, "e.json"), JSON.stringify(event))
    const ran = await detent(["explain", "--policy", "made.yaml", "--event", "e.json", "--format", "json"], { cwd })
    return JSON.parse(ran.out)[0].matches
  }

  it.each<[string, string, string, boolean]>([
    ["Bash", "claude-code", "Bash", true],
    ["Bash", "claude-code", "BashOutput", false],
    ["Bash.*", "claude-code", "BashOutput", true],
    ["", "fs", "write_file", true],
    ["mcp__.*", "fs", "read_file", true],
    ["mcp__.*", "claude-code", "Read", false],
    ["mcp__brave-search", "brave-search", "web", false],
    ["mcp__brave-search__.*", "brave-search", "web", true],
    ["Write|mcp__.*__write.*", "fs", "write_file", true],
    [".*write.*", "fs", "write_file", true],
  ])("%s, %s, %s: %s", async (matcher, server, name, wanted) => {
    expect(await runs(matcher, server, name)).toBe(wanted)
  })
})

describe("hook run", () => {
  const run = (words: readonly string[], stdin: unknown = { args: {} }) => {
    const cwd = folderWith()
    return start(["hook", "run", ...words], { cwd, stdin: typeof stdin === "string" ? stdin : JSON.stringify(stdin) })
  }
  const claude = (...argv: string[]) => run(["claude-code", "--event", "PreToolUse", "--", ...argv])

  it("says what a command says that does not read what it is given", () => {
    const big = { args: { text: "a".repeat(2_000_000) }, server: "fs", tool: "write" }
    const ran = run(["claude-code", "--event", "PreToolUse", "--", "sh", "-c", "echo no >&2; exit 2"], big)
    expect(ran).toMatchObject({ code: 0, out: '{"refuse":"no"}\n' })
  })

  it.each([
    ["a program that is not there", ["./gone"], "did not start (ENOENT)"],
    ["a signal", ["sh", "-c", "kill -9 $$"], "was ended by SIGKILL"],
    ["a shell that does not find it", ["sh", "-c", "./gone"], "it ended with 127"],
    ["garbage", ["echo", '{"a'], "counts for nothing"],
  ])("fails at %s", (_, argv, why) => {
    const ran = claude(...argv)
    expect(ran).toMatchObject({ code: 1, out: "" })
    expect(ran.err).toContain(why)
  })

  it("takes an interpreter without its script for a denial, as the host does, with what it said", () => {
    const ran = claude("sh", "-c", "echo cannot open gone.py >&2; exit 2")
    expect(ran.out).toBe('{"refuse":"cannot open gone.py"}\n')
  })

  it("says what it needs", () => {
    expect(run(["claude-code", "--", "true"]).err).toContain("needs --event NAME")
    expect(run(["claude-code", "--event", "PreToolUse"]).err).toContain("needs a command")
    expect(run(["nobody", "--event", "x", "--", "true"]).err).toContain("knows no commands of `nobody`")
    expect(run(["codex", "--event", "Stop", "--", "true"], "[]").err).toContain("no JSON object")
  })
})
