import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderWith, lines, policy, rule } from "./capture.ts"
import { start } from "./process.ts"
import { until, untilThere } from "./waiting.ts"

const BASH = {
  session_id: "s",
  transcript_path: "/t.jsonl",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
}
const ENVELOPE = { hook_event_name: "PreToolUse", thread_id: "t", tool_name: "bash", tool_input: { command: "ls" } }
const observer = (on: string, command: string, more: object = {}): object => ({
  id: "watch",
  on,
  phase: "observe",
  run: ["sh", "-c", command],
  ...more,
})
/** Held open until the test lets it go. */
const SLOW = "until [ -e go ]; do sleep 0.05; done; cat > seen.json"

/** A refused call's end is decided on, too. */
const REFUSED = { when: { if: { "==": [{ var: "outcome" }, "refuse"] } } }

const claude = (cwd: string, words: readonly string[] = []) =>
  start(["hook", "claude-code", "--policy", "p.json", ...words], { cwd, stdin: JSON.stringify(BASH) })
const vix = (cwd: string) => start(["hook", "vix", "--policy", "p.json"], { cwd, stdin: JSON.stringify(ENVELOPE) })

describe("observers run behind the answer", () => {
  it.each([
    ["an agent's", claude, '"permissionDecision":"deny"', 0],
    ["vix's", vix, '"behavior":"deny"', 2],
  ] as const)("%s answer and its process do not wait for them", async (_, hook, said, code) => {
    const cwd = folderWith({
      "p.json": policy([rule("no", { refuse: "no" }), observer("call.decided", SLOW, REFUSED)]),
    })
    const ran = hook(cwd)
    expect(existsSync(join(cwd, "seen.json"))).toBe(false)
    expect([ran.code, lines(ran.out).length]).toEqual([code, 1])
    expect(ran.out).toContain(said)
    writeFileSync(join(cwd, "go"), "")
    await untilThere(join(cwd, "seen.json"))
    await until(() => readFileSync(join(cwd, "seen.json"), "utf8").endsWith("}"))
    expect(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"))).toMatchObject({
      on: "call.decided",
      phase: "observe",
      outcome: "refuse",
      caller: { id: hook === claude ? "claude-code" : "local" },
    })
  })

  it("an event that no point is about is observed with all that it carried", async () => {
    const cwd = folderWith({ "p.json": policy([observer("agent.", "cat > part && mv part seen.json")]) })
    const payload = { ...BASH, hook_event_name: "OfTomorrow", more: 1 }
    const ran = start(["hook", "claude-code", "--policy", "p.json"], { cwd, stdin: JSON.stringify(payload) })
    expect(ran.err).toContain("no hook can be on `OfTomorrow` of Claude Code")
    await untilThere(join(cwd, "seen.json"))
    expect(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"))).toMatchObject({
      on: "agent.event",
      host: { event: "OfTomorrow", more: 1, tool_name: "Bash" },
    })
  })

  it("what goes wrong with them is said once, when the next event comes", async () => {
    const cwd = folderWith({ "p.json": policy([observer("call.decided", "exit 3")]) })
    expect(claude(cwd).err).toBe("")
    await untilThere(join(cwd, "home/.local/state/detent/observers.log"))
    expect(claude(cwd).err).toMatch(/^detent: the observer `watch` failed on call\.decided: .*\n$/)
  })

  it("nothing is started where no observer takes what has happened", () => {
    const cwd = folderWith({ "p.json": policy([observer("script.", "touch seen.json")]) })
    expect(claude(cwd)).toEqual({ code: 0, out: "", err: "" })
    expect(existsSync(join(cwd, "seen.json"))).toBe(false)
  })
})

describe("detent hook observe", () => {
  const observe = (cwd: string, stdin: string) => start(["hook", "observe", "--policy", "p.json"], { cwd, stdin })

  it("runs the observers that take an event, and no other hook", () => {
    const cwd = folderWith({
      "p.json": policy([
        observer("call.", "cat >> seen.ndjson; echo >> seen.ndjson"),
        { ...observer("call.", "touch wrong"), id: "other", on: "call", phase: "before", effect: "run" },
      ]),
    })
    const events = [
      { type: "call.finished", server: "s", tool: "t", caller: { id: "ci" } },
      { type: "message", text: "x" },
    ]
    const ran = observe(cwd, events.map((event) => `${JSON.stringify(event)}\n`).join("\n"))
    expect(ran).toEqual({ code: 0, out: "", err: "" })
    const seen = lines(readFileSync(join(cwd, "seen.ndjson"), "utf8"))
    expect(seen).toMatchObject([{ on: "call.finished", server: "s", caller: { id: "ci" } }])
    expect(existsSync(join(cwd, "wrong"))).toBe(false)
  })

  it.each([
    ["no JSON", "{", "line 1 is no JSON"],
    ["no kind", "{}", "line 1 is no event: it has no `type`"],
    [
      "an unknown kind",
      '\n{"type":"call.finishd"}',
      "line 2 is an event of the unknown kind `call.finishd` (did you mean",
    ],
  ])("refuses a line with %s", (_, stdin, why) => {
    const cwd = folderWith({ "p.json": policy([observer("*", "touch seen.json")]) })
    const ran = observe(cwd, stdin)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(why)
  })
})
