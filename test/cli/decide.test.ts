import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, EVENT, folderWith, lines, policy, rule } from "./capture.ts"

const decide = async (
  hooks: readonly object[],
  words: readonly string[] = [],
  more: object = {},
  event: object = EVENT,
) => {
  const cwd = folderWith({ "p.json": policy(hooks, more), "e.json": event })
  const ran = await detent(["decide", "--policy", "p.json", "--event", "e.json", ...words], { cwd })
  return { ...ran, frames: ran.out.startsWith('{"') ? lines(ran.out) : [] }
}

describe("decide tells the outcome by its exit code", () => {
  it.each([
    ["no hook at all", [], 0, "continue"],
    ["a rewrite", [rule("a", { apply: { input: { path: "b" } } })], 0, "continue"],
    ["an answer", [rule("a", { apply: { result: 1 } })], 0, "answer"],
    ["a refusal", [rule("a", { refuse: "no" })], 2, "refuse"],
    ["an open question", [rule("a", { ask: "sure?" })], 3, "ask"],
  ] as const)("%s", async (_, hooks, code, outcome) => {
    const ran = await decide(hooks)
    expect(ran.code).toBe(code)
    expect(ran.err).toBe("")
    expect(ran.frames.at(-1)).toMatchObject({ type: "verdict", outcome })
    expect(ran.frames.slice(0, -1).map(({ type }) => type)).not.toContain("verdict")
  })
})

describe("decide prints", () => {
  const hooks = [rule("a", { advise: "mind the gap" }, { effect: "advise" }), rule("b", { refuse: "no" })]

  it("frames and last the verdict, without the frames in it, into a pipe", async () => {
    const { frames } = await decide(hooks)
    expect(frames.map(({ type, hook }) => hook ?? type)).toEqual(["a", "b", "verdict"])
    expect(frames[2]).not.toHaveProperty("frames")
    expect(frames[2]).toMatchObject({ input: EVENT.args, refusal: { hook: "b", reason: "no" } })
  })

  it("one JSON document on request", async () => {
    const { out } = await decide(hooks, ["--format", "json"])
    expect(JSON.parse(out)).toMatchObject({
      type: "verdict",
      outcome: "refuse",
      frames: [{ hook: "a" }, { hook: "b" }],
    })
  })

  it("a line for each hook and one for the verdict as text", async () => {
    const { out } = await decide(hooks, ["--format", "text"])
    expect(out.split("\n")).toEqual([
      "a [call before, rule, advise] advised: mind the gap",
      "b [call before, rule, run] refused: no",
      "refused by b: no",
      "",
    ])
  })

  it("text on a terminal, in colour, and no escape of what a hook said", async () => {
    const cwd = folderWith({ "p.json": policy([rule("a", { refuse: "\u001b[2Jgone\nnext" })]), "e.json": EVENT })
    const { out } = await detent(["decide", "--policy", "p.json", "--event", "e.json"], { cwd, tty: true })
    expect(out).toContain("\u001b[31mrefused: \\u001b[2Jgone\\nnext\u001b[0m")
    expect(out.trimEnd().split("\n")).toHaveLength(2)
  })

  it("text that fits the terminal, and is not broken into a pipe", async () => {
    const cwd = folderWith({ "p.json": policy([rule("a", { advise: "word ".repeat(30).trim() })]), "e.json": EVENT })
    const words = ["decide", "--policy", "p.json", "--event", "e.json", "--format", "text"]
    const at = async (tty: boolean) =>
      (await detent(words, { cwd, tty, columns: 60, env: { NO_COLOR: "1" } })).out.trimEnd().split("\n")
    expect((await at(true)).slice(0, 2)).toEqual([
      "a [call before, rule, run] advised: word word word word word",
      "    word word word word word word word word word word word",
    ])
    expect(await at(false)).toHaveLength(2)
  })

  it("what lowered a hook and what of it was dropped by whom, as text", async () => {
    const { out } = await decide([rule("a", { refuse: "no" })], ["--hooks-autonomy", "advise", "--format", "text"])
    expect(out).toBe(
      "a [call before, rule, advise] lowered from run by caller: hooks.autonomy (--hooks-autonomy); " +
        'dropped `refuse` (caller)\ngo on with {"path":"a.txt","text":"x"}\n',
    )
  })
})

describe("decide takes", () => {
  it("the ceilings of its flags, by minimum with the policy's", async () => {
    const hooks = [rule("a", { refuse: "no" })]
    expect((await decide(hooks, ["--autonomy-max", "advise"])).code).toBe(0)
    expect((await decide(hooks, ["--autonomy-max", "run"], { "autonomy.max": "advise" })).code).toBe(0)
    expect((await decide(hooks, ["--autonomy-max", "ask"], { "autonomy.max": "apply" })).code).toBe(2)
  })

  it("and says on stderr, in one line, that the caller's level is lowered", async () => {
    const { err } = await decide([], ["--hooks-autonomy", "apply", "--autonomy-max", "ask"])
    expect(err).toBe(
      "detent: `hooks.autonomy: apply` (--hooks-autonomy) is lowered to `ask` by `autonomy.max` (--autonomy-max)\n",
    )
  })

  const byCaller = [rule("a", { refuse: "@caller.id" }, { when: { if: { "==": [{ var: "caller.env" }, "prod"] } } })]

  it("the caller as an id or an object, and else the event's own", async () => {
    expect((await decide(byCaller, ["--caller", "ci"])).code).toBe(0)
    expect((await decide(byCaller, ["--caller", '{"id":"ci","env":"prod"}'])).code).toBe(2)
    const event = { ...EVENT, caller: { id: "ci", env: "prod" } }
    expect((await decide(byCaller, [], {}, event)).code).toBe(2)
    expect((await decide(byCaller, ["--caller", "other"], {}, event)).code).toBe(0)
  })

  it.each([
    ['{"env":"prod"}', "detent: the caller has no `id`"],
    ['{"id":"a","id":"b"}', "detent: the caller is no JSON object: the key `id` is written twice"],
    ["{", "detent: the caller is no JSON object"],
    ["", "detent: the caller's id is empty"],
    ['{"id":"a","scopes":"exec"}', "detent: the caller's `scopes` must be a list of texts"],
  ])("no caller such as %s", async (caller, fault) => {
    const { code, err, out } = await decide([], ["--caller", caller])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain(fault)
  })
})

describe("a bad event is an error that says what is wrong", () => {
  const broken = async (stdin: string | Uint8Array, words: readonly string[] = ["--event", "-"]) => {
    const cwd = folderWith({ "p.json": policy([]) })
    const { code, out, err } = await detent(["decide", "--policy", "p.json", ...words], { cwd, stdin })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    return err
  }

  it.each([
    ["nothing", "", "the event in stdin is empty (one JSON object is expected)"],
    ["white space and a mark", "\ufeff \n", "the event in stdin is empty"],
    ["no JSON", "{on:", "the event in stdin is no JSON"],
    ["no object", "[]", "the event in stdin is no JSON object"],
    ["two marks", "\ufeff\ufeff{}", "the event in stdin is no JSON: unexpected token '\ufeff'\n"],
    ["nesting without end", `{"on":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, "it is nested more than 256 levels"],
    ["a number without end", '{"on":1e999}', "is no JSON: a number in it is too large"],
    ["a repeated key", '{"on":"call","on":"script"}', "the key `on` is written twice in one object"],
    ["a deep repeated key", '{"on":"call","args":{"a":1,"a":2}}', "the key `a` is written twice in one object"],
    ["a __proto__ key", '{"__proto__":{}}', "the key `__proto__` is not allowed"],
    ["an unknown point", '{"on":"cal","phase":"before"}', "unknown point `cal`; did you mean `call`?"],
    ["an unknown phase", '{"on":"call","phase":"after"}', "has no phase `after`"],
    ["no phase", '{"on":"call","server":"s","tool":"t"}', "an event needs `phase`"],
    ["an unknown field", JSON.stringify({ ...EVENT, sever: 1 }), "has no field `sever`; did you mean `server`?"],
    ["a wrong type", JSON.stringify({ ...EVENT, args: [] }), "`args` must be an object"],
    ["a phase that is never fired", '{"on":"script","phase":"prefix"}', "does not fire `prefix`"],
  ])("%s", async (_, stdin, fault) => {
    expect(await broken(stdin)).toContain(fault)
  })

  it("several events", async () => {
    const event = JSON.stringify(EVENT)
    expect(await broken(`${event}\n${event}\n`)).toContain("decide takes one moment at a time")
  })

  it("what is no JSON is not repeated in the error", async () => {
    for (const text of [
      '{"on": hunter2}',
      "hunter2 hunter2 hunter2 hunter2",
      `{"a":1,"on":hunter2,${" ".repeat(99)}}`,
    ]) {
      expect(await broken(text)).toMatch(/^(?!.*hunter).*is no JSON: unexpected token/)
    }
  })

  it("bytes that are no UTF-8", async () => {
    expect(await broken(new Uint8Array([0x7b, 0xff, 0x7d]))).toContain("is no UTF-8 text")
  })

  it("none, or a file that is not there", async () => {
    expect(await broken("", [])).toContain("no event is given (`--event FILE`, or `--event -` to read it from stdin)")
    expect(await broken("", ["--event", "gone.json"])).toContain("`gone.json` cannot be read: there is no such file")
    expect(await broken("", ["--event", "."])).toContain("`.` cannot be read: it is a folder")
  })

  it("but a byte-order mark is fine", async () => {
    const cwd = folderWith({ "p.json": policy([]) })
    const words = ["decide", "--policy", "p.json", "--event", "-"]
    expect((await detent(words, { cwd, stdin: `\ufeff${JSON.stringify(EVENT)}\r\n` })).code).toBe(0)
  })
})

describe("a bad policy is an error with all its findings", () => {
  it("one line each, with file and place", async () => {
    const cwd = folderWith({
      "e.json": EVENT,
      "p.yaml":
        "version: 1\nhooks:\n  - { on: cal, phase: before, rule: {} }\n  - { on: call, phase: before, rule: { refus: x } }\n",
    })
    const { code, out, err } = await detent(["decide", "--policy", "p.yaml", "--event", "e.json"], { cwd })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    const found = err.trimEnd().split("\n")
    expect(found.length).toBeGreaterThan(1)
    for (const line of found) expect(line).toMatch(/^p\.yaml:\d+:\d+: (error|warning): /)
  })

  it("one that is not there", async () => {
    const { code, err } = await detent(["decide", "--policy", "gone.yaml", "--event", "e.json"])
    expect(code).toBe(1)
    expect(err).toContain("the policy `gone.yaml` is not there")
  })

  it("a wrong level in the environment", async () => {
    const { code, err } = await detent(["decide", "--event", "-"], { env: { DETENT_AUTONOMY_MAX: "everything" } })
    expect(code).toBe(1)
    expect(err).toContain("env:DETENT_AUTONOMY_MAX: error: unknown level `everything`")
  })
})

describe("a policy that is only found", () => {
  it("is not trusted, and stderr says what of it is not in force", async () => {
    const cwd = folderWith({
      "detent.json": policy([
        { id: "runs", on: "call", phase: "before", run: ["touch", "ran"], effect: "ask" },
        rule("asks", { ask: "sure?" }, { effect: "ask" }),
      ]),
      "e.json": EVENT,
    })
    const { code, out, err } = await detent(["decide", "--event", "e.json"], { cwd })
    expect(code).toBe(3)
    expect(lines(out).map(({ hook }) => hook)).toEqual(["asks", undefined])
    expect(err).toMatch(/^detent: `.*detent\.json` is not trusted, so these hooks are not in force: `runs`/)
  })
})

it("an observer that fails is told on stderr, and changes nothing", async () => {
  const watch = { id: "watch", on: "call.decided", phase: "observe", run: ["sh", "-c", "exit 3"] }
  const ran = await decide([watch, rule("a", { advise: "x" }, { effect: "advise" })])
  expect(ran.code).toBe(0)
  expect(ran.err).toContain("the observer `watch` failed on call.decided")
  expect(ran.frames.map(({ type }) => type)).toEqual(["hook", "verdict"])
})

describe("a hook that two layers declare alike", () => {
  const hook = { on: "call", phase: "before", run: ["sh", "-c", "echo x >> count.txt"] }

  it("runs once for an event, and is listed once with both its origins", async () => {
    const cwd = folderWith({
      "config/detent/policy.yaml": policy([hook]),
      "detent.json": policy([null as never, hook]),
      "e.json": EVENT,
    })
    const given = { cwd, env: { XDG_CONFIG_HOME: join(cwd, "config") } }
    expect((await detent(["trust"], given)).code).toBe(0)
    const ran = await detent(["decide", "--event", "e.json"], given)
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" })
    expect(lines(ran.out).map(({ type }) => type)).toEqual(["hook", "verdict"])
    expect(readFileSync(join(cwd, "config/detent/count.txt"), "utf8")).toBe("x\n")
    expect(existsSync(join(cwd, "count.txt"))).toBe(false)
    const listed = lines((await detent(["hooks", "list"], given)).out)
    expect(listed).toMatchObject([
      { id: "hooks[0]", origins: [join(cwd, "config/detent/policy.yaml:1"), join(cwd, "detent.json:1")] },
    ])
  })

  it("runs twice where the effects differ, and that is said", async () => {
    const cwd = folderWith({
      "config/detent/policy.yaml": policy([hook]),
      "p.json": policy([null as never, { ...hook, effect: "ask" }]),
      "e.json": EVENT,
    })
    const words = ["decide", "--policy", "p.json", "--event", "e.json"]
    const ran = await detent(words, { cwd, env: { XDG_CONFIG_HOME: join(cwd, "config") } })
    expect(lines(ran.out).map(({ type }) => type)).toEqual(["hook", "hook", "verdict"])
    expect(ran.err).toContain("differ in effect alone, and both run")
  })
})

it("one entry that cannot be used lets no call pass: every finding is told, and nothing is decided", async () => {
  const good = { on: "call", phase: "before", run: ["sh", "-c", `echo '{"refuse":"g"}'`], effect: "ask" }
  const cwd = folderWith({
    "detent.json": policy([
      good,
      { on: "call", phase: "before", when: { tool: { type: "always" } }, run: ["true"] },
      { type: "command", command: "echo hi" },
    ]),
    "e.json": EVENT,
  })
  for (const words of [[], ["--policy", "detent.json"]]) {
    const { code, out, err } = await detent(["decide", "--event", "e.json", ...words], { cwd })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toMatch(/detent\.json:1:\d+: error: `hooks\[1\]\.when\.tool` must be a name/)
    expect(err.match(/: error: /g)).toHaveLength(5)
  }
  const checked = await detent(["check", "--format", "ndjson"], { cwd })
  expect(checked.code).toBe(1)
  expect(lines(checked.out).map(({ pointer }) => pointer)).toEqual([
    "/hooks/1/when/tool",
    "/hooks/2",
    "/hooks/2",
    "/hooks/2/type",
    "/hooks/2/command",
  ])
})
