import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { VIX_EVENT_NAMES } from "../../dialects/vix/events.ts"
import { folderWith, policy, type Ran, rule } from "./capture.ts"
import { start } from "./process.ts"

const TOOL = { hook_event_name: "PreToolUse", thread_id: "t1", origin: "user", tool_name: "write_file" }
const WRITE = { ...TOOL, tool_input: { path: "a.txt", content: "x" } }
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "do it" }

type Specs = Readonly<Record<string, object | string>>

/** A folder with a home in it, and the hooks of that home. */
const home = (specs: Specs, more: Readonly<Record<string, unknown>> = {}): string =>
  folderWith({
    "home/.vix/hooks/.keep": "",
    ...Object.fromEntries(Object.entries(specs).map(([id, spec]) => [`home/.vix/hooks/${id}/hook.json`, spec])),
    ...more,
  })

const on = (event: string, command: string, more: object = {}): object => ({
  trigger: { event, matcher: "" },
  mode: "sync",
  command,
  ...more,
})
const sync = (command: string, more: object = {}): object => on("PreToolUse", command, more)
const blocking = (command: string, more: object = {}): object => sync(command, { blocking: true, ...more })

const vix = (cwd: string, envelope: object, words: readonly string[] = [], env: Record<string, string> = {}): Ran =>
  start(["hook", "vix", ...words], { cwd, stdin: JSON.stringify({ cwd, ...envelope }), env })
const decision = ({ out }: Ran): Record<string, unknown> => JSON.parse(out) as Record<string, unknown>

const state = (cwd: string, id: string) =>
  JSON.parse(readFileSync(join(cwd, "home/.vix/hooks", id, "state.json"), "utf8")) as {
    last_status: string
    last_error: string
    recent_runs: Record<string, unknown>[]
  }
const log = (cwd: string): Record<string, unknown>[] => {
  const folder = join(cwd, "home/.vix/logs/hooks")
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  )
}

describe("detent hook vix", () => {
  it("denies with the reason on stdout and on stderr, and exit 2", () => {
    const command =
      'p=$(jq -r .tool_input.path); case "$p" in *.env|*/secrets/*) echo "protected: $p" >&2; exit 2;; esac; exit 0'
    const cwd = home({
      protect: blocking(command, { trigger: { event: "PreToolUse", matcher: "write_file|edit_file" } }),
    })
    expect(vix(cwd, { ...TOOL, tool_input: { path: ".env" } })).toEqual({
      code: 2,
      out: '{"behavior":"deny","reason":"protected: .env"}\n',
      err: "protected: .env\n",
    })
    expect(vix(cwd, WRITE)).toEqual({ code: 0, out: '{"behavior":"allow"}\n', err: "" })
    expect(vix(cwd, { ...TOOL, tool_name: "write_file2", tool_input: { path: ".env" } }).code).toBe(0)
    expect(state(cwd, "protect").recent_runs.map(({ status }) => status)).toEqual(["deny", "allow"])
  })

  it.each(VIX_EVENT_NAMES)("fires the hooks on %s, with the event's envelope on stdin", (event) => {
    const cwd = home({
      seen: on(event, "cat > seen.json"),
      other: on(event === "Stop" ? "PreCompact" : "Stop", "touch other"),
    })
    const fields = { tool_name: "bash", tool_input: { command: "ls" }, prompt: "p", source: "startup", trigger: "auto" }
    const envelope = { hook_event_name: event, ...fields, agent_type: "explore", turn_count: 3, model: "m" }
    expect(vix(cwd, envelope)).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"))).toMatchObject({
      hook_event_name: event,
      turn_count: 3,
      model: "m",
    })
    expect(existsSync(join(cwd, "other"))).toBe(false)
  })

  it.each([
    ["PreToolUse", "tool_name", "bash", "ba.*"],
    ["ThreadStart", "source", "resume", "resume"],
    ["PreCompact", "trigger", "auto", "auto|manual"],
    ["PostCompact", "trigger", "manual", "m[a-z]+"],
    ["SubagentStart", "agent_type", "explore", "exp.*"],
    ["SubagentStop", "agent_type", "explore", "explore"],
    ["PermissionRequest", "tool_name", "mcp__fs__read", "mcp__.*"],
  ])("holds the matcher of %s against `%s`", (event, field, value, matcher) => {
    const cwd = home({ m: on(event, "echo matched", { trigger: { event, matcher } }) })
    const envelope = { hook_event_name: event, tool_name: "x", [field]: value }
    expect(decision(vix(cwd, envelope))).toEqual({ behavior: "context", context: "matched" })
    expect(decision(vix(cwd, { ...envelope, [field]: `${value}2` })).behavior).toBe(
      matcher.endsWith("*") ? "context" : "allow",
    )
  })

  it("rewrites the input of a tool, and the text of a prompt", () => {
    const cwd = home({
      tool: blocking(`echo '{"behavior":"modify","input":{"path":"safe.txt"}}'`),
      prompt: on("UserPromptSubmit", `echo '{"behavior":"modify","input":{"prompt":"do it well"}}'`, {
        blocking: true,
      }),
    })
    expect(decision(vix(cwd, WRITE))).toEqual({ behavior: "modify", input: { path: "safe.txt" } })
    expect(decision(vix(cwd, PROMPT))).toEqual({ behavior: "modify", input: { prompt: "do it well" } })
  })

  it("shows every hook of the group the original input, and lets the most restrictive win", () => {
    const see = (id: string, say: string) => blocking(`cat > ${id}.json; echo '${say}'`)
    const cwd = home({
      a: see("a", '{"behavior":"modify","input":{"path":"b"},"context":"from a"}'),
      b: see("b", "from b"),
      c: see("c", '{"behavior":"deny","reason":"first"}'),
      d: see("d", '{"behavior":"deny","reason":"second"}'),
    })
    expect(decision(vix(cwd, WRITE))).toEqual({ behavior: "deny", reason: "first", context: "from a\nfrom b" })
    for (const id of ["a", "b", "c", "d"]) {
      expect(JSON.parse(readFileSync(join(cwd, `${id}.json`), "utf8"))).toMatchObject(WRITE)
    }
  })

  it("lowers the veto of a hook that is not blocking, says so, and writes it down", () => {
    const cwd = home({ soft: sync(`echo '{"behavior":"deny","reason":"no","context":"note"}'`) })
    const ran = vix(cwd, WRITE)
    expect(ran).toMatchObject({ code: 0, out: '{"behavior":"context","context":"note"}\n' })
    expect(ran.err).toContain("the `deny` of the hook `soft` does not count: it is not blocking")
    expect(state(cwd, "soft").last_status).toBe("context")
    expect(log(cwd)).toMatchObject([{ hook: "soft", status: "context", lowered: "deny" }])
  })

  it("asks the rest of the policy about a rewritten input, and runs the group once", () => {
    const cwd = home(
      { a: blocking(`echo x >> count; echo '{"behavior":"modify","input":{"path":"secrets/a"}}'`) },
      {
        "p.json": policy([
          rule("guard", { refuse: "no secrets" }, { when: { args: { path: "secrets/**" } }, effect: "ask" }),
        ]),
      },
    )
    const ran = vix(cwd, WRITE, ["--policy", "p.json"])
    expect(decision(ran)).toEqual({ behavior: "deny", reason: "no secrets" })
    expect(ran.code).toBe(2)
    expect(readFileSync(join(cwd, "count"), "utf8")).toBe("x\n")
  })

  it("denies where the policy asks: vix can put no question", () => {
    const cwd = home({}, { "p.json": policy([rule("asks", { ask: "sure?" }, { effect: "ask" })]) })
    const ran = vix(cwd, WRITE, ["--policy", "p.json"])
    expect(ran.code).toBe(2)
    expect(decision(ran).reason).toBe("sure? (denied: vix can put no question here)")
  })

  it("lowers what vix cannot carry at an event, and says by what", () => {
    const cwd = home({}, { "p.json": policy([rule("stops", { refuse: "go on" }, { on: "turn", phase: "onSuccess" })]) })
    const ran = vix(cwd, { hook_event_name: "Stop" }, ["--policy", "p.json"])
    expect(decision(ran)).toEqual({ behavior: "allow" })
    expect(ran.err).toContain("`stops`: `refuse` is dropped, since vix carries `advise` here")
  })

  it("never vetoes above the caller's ceiling", () => {
    const cwd = home({ a: blocking("exit 2") })
    const ran = vix(cwd, WRITE, ["--hooks-autonomy", "advise"])
    expect(ran.code).toBe(0)
    expect(ran.err).toContain("`vix:PreToolUse`: `refuse` is dropped, since hooks.autonomy (--hooks-autonomy) is lower")
  })

  it("skips specs that are invalid, names them, and keeps the others in force", () => {
    const cwd = home({
      broken: "{",
      odd: { trigger: { event: "PreTool" }, command: "true" },
      good: blocking("echo no >&2; exit 2"),
    })
    const ran = vix(cwd, WRITE)
    expect(ran.code).toBe(2)
    expect(ran.err).toContain("broken/hook.json` is skipped: it is no JSON")
    expect(ran.err).toContain("did you mean `PreToolUse`?")
  })

  it("takes up what has changed in the folder since the last event: a spec that is changed, broken, new or gone", () => {
    const cwd = home({ a: blocking("exit 2") })
    const spec = (id: string) => join(cwd, "home/.vix/hooks", id, "hook.json")
    expect(vix(cwd, WRITE).code).toBe(2)
    writeFileSync(spec("a"), JSON.stringify(blocking("exit 0")))
    expect(vix(cwd, WRITE)).toMatchObject({ code: 0, err: "" })
    writeFileSync(spec("a"), "{")
    expect(vix(cwd, WRITE).err).toContain("a/hook.json")
    mkdirSync(join(cwd, "home/.vix/hooks/b"))
    writeFileSync(spec("b"), JSON.stringify(blocking("exit 2")))
    expect(vix(cwd, WRITE).code).toBe(2)
    rmSync(join(cwd, "home/.vix/hooks"), { recursive: true })
    expect(vix(cwd, WRITE).code).toBe(0)
  })

  it("runs no hook of the folder in a thread that vix has started", () => {
    const cwd = home({ a: blocking("touch ran; exit 2") })
    expect(vix(cwd, { ...WRITE, origin: "vix" }).code).toBe(0)
    expect(existsSync(join(cwd, "ran"))).toBe(false)
  })

  it.each([
    ["VIX_DISABLE_HOOKS", { VIX_DISABLE_HOOKS: "1" }, {}],
    ["DETENT_DISABLE_HOOKS", { DETENT_DISABLE_HOOKS: "1" }, {}],
    ["features.hooks", {}, { "home/.vix/settings.json": { features: { hooks: false } } }],
  ] as const)("is switched off by %s, and says so", (name, env, files) => {
    const cwd = home({ a: blocking("exit 2") }, files)
    const ran = vix(cwd, WRITE, [], { ...env })
    expect(ran.code).toBe(0)
    expect(ran.err).toContain(name)
  })

  it.each([
    ["no JSON", "{", "the envelope is no JSON"],
    ["nothing", "", "the envelope is empty"],
    ["another event", '{"hook_event_name":"Nope"}', "unknown event `Nope`"],
  ])("exits 1 on an envelope that is %s, so that vix goes on, and denies with --on-failure closed", (_, stdin, why) => {
    const cwd = home({})
    const open = start(["hook", "vix"], { cwd, stdin })
    expect(open).toMatchObject({ code: 1, out: "" })
    expect(open.err).toContain(why)
    const closed = start(["hook", "vix", "--on-failure", "closed"], { cwd, stdin })
    expect(closed.code).toBe(2)
    expect(decision(closed).behavior).toBe("deny")
  })

  it("keeps the last ten runs in state.json and all of them in the log of the day", () => {
    const cwd = home({ a: sync("echo hi") })
    for (let run = 0; run < 12; run++) vix(cwd, WRITE)
    const { recent_runs, ...last } = state(cwd, "a")
    expect(recent_runs).toHaveLength(10)
    expect(recent_runs[9]).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: "context",
      async: false,
      event: "PreToolUse",
      error: "",
      duration: expect.stringMatching(/^[\d.]+m?s$/),
    })
    expect(last).toEqual({ last_fired_at: recent_runs[9]!.at, last_status: "context", last_error: "" })
    expect(log(cwd)).toHaveLength(12)
    expect(log(cwd)[0]).toMatchObject({
      hook: "a",
      event: "PreToolUse",
      of_thread: "t1",
      tool_name: "write_file",
      exit: 0,
    })
    const [name] = readdirSync(join(cwd, "home/.vix/logs/hooks"))
    expect(name).toBe(`${String(log(cwd)[0]!.at).slice(0, 10)}.jsonl`)
  }, 30_000)
})
