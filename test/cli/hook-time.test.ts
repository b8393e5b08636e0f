import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { reached } from "../../cli/hook/reach.ts"
import { contentOf } from "../../settings/content.ts"
import { folderWith, policy, rule } from "./capture.ts"
import { start, startBeside } from "./process.ts"

const BASH = JSON.stringify({
  session_id: "s",
  transcript_path: "/t.jsonl",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
})

/** A folder with a pipe in the place of a policy, that nobody writes to. */
function piped(files: Readonly<Record<string, unknown>> = {}): string {
  const cwd = folderWith(files)
  spawnSync("sh", ["-c", "mkfifo p.json"], { cwd })
  return cwd
}
const claude = (cwd: string, words: readonly string[] = []) =>
  start(["hook", "claude-code", "--policy", "p.json", "--timeout", "1", ...words], { cwd, stdin: BASH })

describe("before the agent's time is up", () => {
  it("a policy that never comes refuses", () => {
    const ran = claude(piped())
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([
      0,
      {
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("p.json") },
      },
    ])
  })

  it("and lets pass, with a word, where the operator has said so", () => {
    const ran = claude(piped(), ["--on-failure", "open"])
    expect([ran.code, JSON.parse(ran.out)]).toEqual([
      0,
      { systemMessage: expect.stringContaining("the policy `p.json` cannot be read (ETIMEDOUT)") },
    ])
  })

  it("a policy that comes through a pipe in time is in force", async () => {
    const cwd = piped({ "real.json": policy([rule("a", { refuse: "piped" })]) })
    const writer = spawn("sh", ["-c", "cat real.json > p.json"], { cwd })
    const ran = await startBeside(["hook", "claude-code", "--policy", "p.json"], { cwd, stdin: BASH })
    writer.kill()
    expect(ran.out).toContain("piped")
  })

  it("a hook's server that does not end is left", () => {
    const cwd = folderWith({
      "p.json": policy(
        [{ id: "a", on: "call", phase: "before", plugin: "stuck/tool", effect: "ask", failure: "closed" }],
        {
          servers: { stuck: { command: ["sh", "-c", "trap '' TERM INT; while :; do sleep 1; done"] } },
        },
      ),
    })
    expect(claude(cwd).out).toContain('"permissionDecision":"deny"')
  })
})

describe("what a policy is read from", () => {
  it("is found to be there, or not to be, before it is read", async () => {
    const cwd = piped({ "a.json": "x" })
    await reached([join(cwd, "a.json"), join(cwd, "none"), cwd, join(cwd, "p.json")])
  })

  it("is read the same with a time limit and without", () => {
    const cwd = folderWith({ "a.json": "ö".repeat(100_000) })
    const path = join(cwd, "a.json")
    expect(contentOf(path, Date.now())).toEqual(contentOf(path, undefined))
    expect(() => contentOf(cwd, Date.now())).toThrow("EISDIR")
    expect(() => contentOf(join(cwd, "none"), Date.now())).toThrow("ENOENT")
  })
})
