import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { POINT_NAMES } from "../../policy/points.ts"
import { detent, EVENT, folderWith, lines, policy, rule } from "./capture.ts"

const GOOD = "version: 1\nhooks:\n  - { id: a, on: call, phase: before, rule: { refuse: no }, effect: ask }\n"
const DOUBTFUL = "version: 1\nhooks:\n  - { id: a, on: call, phase: before, rule: { refuse: no }, effect: advise }\n"
const BAD = "version: 1\nhooks:\n  - { id: a, on: cal, phase: before, rule: { refuse: no } }\n"

describe("check", () => {
  it("is silent on stdout where nothing is wrong, and counts on stderr", async () => {
    const cwd = folderWith({ "a.yaml": GOOD })
    expect(await detent(["check", "a.yaml"], { cwd })).toEqual({
      code: 0,
      out: "",
      err: "1 policy checked: 0 errors, 0 warnings\n",
    })
  })

  it("finds a floor in a file that was only found, and nothing wrong with it where the file is named", async () => {
    const floored = rule("guard", { refuse: "no" }, { effect: "ask", floor: "ask" })
    const cwd = folderWith({ "detent.json": policy([floored]) })
    const { code, out } = await detent(["check"], { cwd })
    expect(code).toBe(1)
    expect(out).toMatch(
      /error: `guard` has a floor in a layer that is not trusted \(record the file with `detent trust`/,
    )
    expect((await detent(["check", "detent.json"], { cwd })).code).toBe(0)
    await detent(["trust"], { cwd })
    expect((await detent(["check"], { cwd })).code).toBe(0)
  })

  it("prints each finding of each file with its place, and answers 1", async () => {
    const cwd = folderWith({ "a.yaml": BAD, "b.yaml": DOUBTFUL })
    const { code, out } = await detent(["check", "a.yaml", "b.yaml"], { cwd })
    expect(code).toBe(1)
    expect(out).toMatch(/^a\.yaml:3:18: error: unknown point `cal` \(.*\)\n(a\.yaml.*\n)*b\.yaml:3:\d+: warning: .*\n$/)
  })

  it("takes warnings as good, but not with --strict", async () => {
    const cwd = folderWith({ "a.yaml": DOUBTFUL })
    expect((await detent(["check", "a.yaml"], { cwd })).code).toBe(0)
    expect((await detent(["check", "--strict", "a.yaml"], { cwd })).code).toBe(1)
  })

  it("checks what is in force here where no file is named", async () => {
    const cwd = folderWith({ "detent.yaml": BAD })
    const below = join(cwd, "deep")
    mkdirSync(below)
    const { code, out } = await detent(["check"], { cwd: below })
    expect(code).toBe(1)
    expect(out).toContain(`${join(cwd, "detent.yaml")}:3:`)
  })

  it("answers 2 where it could not check", async () => {
    expect((await detent(["check", "gone.yaml"])).code).toBe(2)
    expect((await detent(["check"])).err).toContain("no policy is in force here (name one: detent check FILE)")
    expect((await detent(["check", "--stric"])).code).toBe(2)
  })

  it("gives findings as data", async () => {
    const cwd = folderWith({ "a.yaml": BAD })
    const ndjson = lines((await detent(["check", "a.yaml", "--format", "ndjson"], { cwd })).out)
    expect(ndjson[0]).toMatchObject({ severity: "error", file: "a.yaml", line: 3, pointer: "/hooks/0/on" })
    expect(JSON.parse((await detent(["check", "a.yaml", "--format", "json"], { cwd })).out)).toEqual(ndjson)
  })
})

describe("points", () => {
  it("lists each point with its phases, limits and fields", async () => {
    const { out } = await detent(["points"], { tty: true, env: { NO_COLOR: "1" } })
    for (const point of POINT_NAMES) expect(out).toMatch(new RegExp(`^${point}: `, "m"))
    expect(out).toMatch(/^ {2}suffix +up to advise, replaces nothing/m)
    expect(out).toMatch(/^ {4}server +.*\(required\)/m)
  })

  it("gives a schema that takes what the phase receives and nothing else", async () => {
    const [call] = JSON.parse((await detent(["points", "call", "--format", "json"])).out) as [
      { phases: Record<string, { schema: object }> },
    ]
    const fits = new Ajv2020({ strict: false }).compile(call.phases.before!.schema)
    expect(fits(EVENT)).toBe(true)
    expect(fits({ ...EVENT, result: 1 })).toBe(false)
    expect(fits({ ...EVENT, sever: "x" })).toBe(false)
  })

  it("names the nearest point", async () => {
    expect((await detent(["points", "cal"])).err).toContain("unknown point `cal` (did you mean `call`?)")
  })
})

describe("schema", () => {
  it.each([["policy"], ["case"], ["event", "call"]])(
    "of %s %s is a JSON Schema on one line, or laid out",
    async (...words) => {
      const { code, out } = await detent(["schema", ...words])
      expect(code).toBe(0)
      expect(out.trimEnd().split("\n")).toHaveLength(1)
      expect(new Ajv2020({ strict: false }).validateSchema(JSON.parse(out))).toBe(true)
      const laidOut = (await detent(["schema", ...words, "--format", "json"])).out
      expect(JSON.parse(laidOut)).toEqual(JSON.parse(out))
      expect(laidOut.split("\n").length).toBeGreaterThan(10)
    },
  )

  it("of anything else is an error", async () => {
    expect((await detent(["schema", "polcy"])).err).toContain("no schema of `polcy` (did you mean `policy`?)")
    expect((await detent(["schema", "event"])).err).toContain("which point's event? (detent schema event call)")
    expect((await detent(["schema", "policy", "call"])).code).toBe(1)
  })
})

describe("hooks list", () => {
  const hooks = [
    rule("a", { advise: "x" }, { effect: "apply" }),
    rule("off", { advise: "x" }, { effect: "advise", enabled: false }),
    rule("watch", {}, { on: "call", phase: "observe", effect: "off" }),
  ]

  it("says of each hook whether it is in force and what lowers it", async () => {
    const cwd = folderWith({ "p.json": policy(hooks, { "autonomy.max": "ask" }) })
    const rows = lines((await detent(["hooks", "list", "--policy", "p.json"], { cwd })).out)
    expect(rows).toMatchObject([
      { id: "a", effect: "apply", effective: "ask", inForce: true, origins: ["p.json:1"] },
      { id: "off", inForce: false, why: "`enabled: false`" },
      { id: "watch", phase: "observe", inForce: true },
    ])
    expect(rows[0]?.why).toBe("lowered to ask by autonomy.max (p.json:1)")
  })

  it("counts a hook at `off` as not in force", async () => {
    const cwd = folderWith({ "p.json": policy(hooks.slice(0, 1)) })
    const words = ["hooks", "list", "--policy", "p.json", "--hooks-autonomy", "off", "--format", "text"]
    expect((await detent(words, { cwd })).out).toBe(
      "a [call before, rule, off of apply] not in force: lowered to off by hooks.autonomy\n    (--hooks-autonomy); from p.json:1\n",
    )
  })

  it("has the hooks of an untrusted file that are not in force", async () => {
    const runs = { id: "runs", on: "call", phase: "before", run: ["true"], effect: "ask" }
    const cwd = folderWith({ "detent.json": policy([rule("asks", { ask: "x" }), runs]) })
    const rows = lines((await detent(["hooks", "list"], { cwd })).out)
    expect(rows).toMatchObject([
      { id: "asks", effect: "ask", inForce: true },
      { id: "runs", inForce: false, why: "its file is not trusted (`detent trust` records its content)" },
    ])
  })

  it("has the hooks that the list of a higher layer takes the place of", async () => {
    const floored = rule("stays", { ask: "x" }, { effect: "ask", floor: "ask" })
    const cwd = folderWith({
      "home/.config/detent/policy.yaml": policy([rule("mine", { advise: "x" }), floored]),
      "p.json": policy([rule("theirs", { advise: "y" })]),
      "all.json": policy([null as never, rule("theirs", { advise: "y" })]),
    })
    const list = async (file: string) => lines((await detent(["hooks", "list", "--policy", file], { cwd })).out)
    expect(await list("p.json")).toMatchObject([
      { id: "stays", inForce: true },
      { id: "theirs", inForce: true },
      { id: "mine", inForce: false, why: expect.stringMatching(/^the list of a higher layer takes the place/) },
    ])
    expect((await list("all.json")).map(({ inForce }) => inForce)).toEqual([true, true, true])
  })

  it("is empty where there is nothing, and says so in text", async () => {
    expect((await detent(["hooks", "list"])).out).toBe("")
    expect((await detent(["hooks", "list", "--format", "text"])).out).toBe("no hooks are in force here\n")
  })
})

describe("explain", () => {
  const ceilings = [
    { id: "freeze", if: { "==": [{ var: "caller.env" }, "prod"] }, max: "advise", reason: "change freeze" },
  ]
  const files = { "p.json": policy([rule("a", { refuse: "no" }, { effect: "ask" })], { ceilings }), "e.json": EVENT }
  const explain = (...words: string[]) =>
    detent(["explain", "--policy", "p.json", ...words], { cwd: folderWith(files) })

  it("is a table, with what may lower a hook below it", async () => {
    const { code, out } = await explain("--format", "text")
    expect(code).toBe(0)
    expect(out.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["hook", "on", "action", "effect", "in force", "decided by", "origin"],
      expect.anything(),
      ["a", "call before", "rule", "ask", "ask", "effect", "p.json:1"],
      ["may be lowered to advise by freeze (p.json:1), change freeze"],
      [""],
    ])
  })

  it("fits the terminal: origins are cut in the middle, and what is said of a hook goes on below", async () => {
    const cwd = folderWith({ [`${"deep/".repeat(8)}p.json`]: files["p.json"] })
    const words = ["explain", "--policy", `${"deep/".repeat(8)}p.json`]
    const { out } = await detent(words, { cwd, tty: true, columns: 60, env: { NO_COLOR: "1" } })
    expect(out.split("\n").filter((line) => line.length > 60)).toEqual([])
    expect(out).toMatch(/ {4}may be lowered to advise by freeze\n {6}\(deep[^ ]*p\.json:1\),\n {6}change freeze\n/)
  })

  it("holds an event against the conditions, for the caller that is given", async () => {
    const caller = ["--caller", '{"id":"ci","env":"prod"}']
    const [prod] = lines((await explain("--event", "e.json", ...caller)).out)
    expect(prod).toMatchObject({
      matches: true,
      effective: "advise",
      decidedBy: ["daemon"],
      sources: [{ id: "freeze" }],
    })
    const [other] = lines((await explain("--event", "e.json")).out)
    expect(other).toMatchObject({ matches: true, effective: "ask", decidedBy: ["effect"] })
  })
})

describe("hook test", () => {
  const files = {
    "p.json": policy([rule("a", { refuse: "no" }), rule("b", { advise: "x" }, { when: { tool: "other" } })]),
    "e.json": EVENT,
    "after.json": { ...EVENT, phase: "onSuccess", result: 1 },
  }
  const test = (...words: string[]) =>
    detent(["hook", "test", ...words, "--policy", "p.json"], { cwd: folderWith(files) })

  it("runs just that hook", async () => {
    const { code, out } = await test("a", "--event", "e.json")
    expect(code).toBe(2)
    expect(lines(out).map(({ hook, type }) => hook ?? type)).toEqual(["a", "verdict"])
  })

  it("says where it does not match", async () => {
    const { code, err } = await test("b", "--event", "e.json")
    expect({ code, err }).toEqual({ code: 0, err: "detent: `b` does not match this event\n" })
  })

  it("is lowered by what a host can carry", async () => {
    const { code, out } = await test("a", "--event", "e.json", "--host", "advise")
    expect(code).toBe(0)
    expect(lines(out)[0]).toMatchObject({ effect: "advise", clampedBy: ["host"], dropped: [{ key: "refuse" }] })
  })

  it("names the nearest hook, and the point and phase that an event would need", async () => {
    expect((await test("aa", "--event", "e.json")).err).toContain("no hook `aa` is in force here (did you mean `a`?)")
    expect((await test("a", "--event", "after.json")).err).toContain(
      "`a` is on call before, and the event is of call onSuccess",
    )
  })
})

describe("trust", () => {
  const runs = {
    id: "runs",
    on: "call",
    phase: "before",
    run: ["sh", "-c", 'echo \'{"refuse":"no"}\''],
    effect: "ask",
    floor: "ask",
  }
  const more = { "autonomy.max": "apply", "script.prefix": ["1"], servers: { fs: { command: ["x"] } } }

  it("brings the whole of a project's policy into force, until it changes", async () => {
    const cwd = folderWith({ "detent.json": policy([runs], more), "e.json": EVENT })
    const decide = () => detent(["decide", "--event", "e.json"], { cwd })
    expect((await decide()).code).toBe(0)
    const { code, out, err } = await detent(["trust"], { cwd })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(lines(out)).toEqual([
      {
        trusted: join(cwd, "detent.json"),
        allows: [
          'hook runs: call before, run `sh -c echo \'{"refuse":"no"}\'`, up to ask, floor ask',
          "server fs",
          "script.prefix: 1",
          "autonomy.max: apply",
        ],
      },
    ])
    expect(await decide()).toMatchObject({ code: 2, err: "" })
    writeFileSync(join(cwd, "detent.json"), `${policy([runs], more)} `)
    expect(await decide()).toMatchObject({ code: 0 })
  })

  it("refuses what is no policy, and what is not there", async () => {
    const cwd = folderWith({ "detent.yaml": BAD })
    expect(await detent(["trust"], { cwd })).toMatchObject({ code: 1, out: "" })
    expect((await detent(["trust", "gone.yaml"], { cwd })).err).toContain("`gone.yaml` cannot be read")
    expect((await detent(["trust"])).err).toContain("there is no project policy here")
  })
})
