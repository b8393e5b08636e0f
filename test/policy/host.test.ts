import { describe, expect, test } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { hostHooks as checked } from "../../policy/host.ts"
import { parsePolicy } from "../../policy/parse.ts"

/** As a program without types calls it. */
const hostHooks = (hooks: unknown) => checked(hooks as never)

const fn = () => ({ refuse: "no" })
const good = { on: "call", phase: "before", effect: "ask", fn }

describe("hooks of a host", () => {
  test.each<[string, unknown, string]>([
    [
      "hooks that are no list",
      { pre_tool_call: [["*", fn, {}]] },
      "the hooks of a host are a list of objects with `fn`",
    ],
    ["a bare function", [fn], "`hooks[0]` must be an object with a function, `fn`"],
    ["no hook at all", [null], "`hooks[0]` must be an object with a function, `fn`"],
    ["no function", [{ ...good, fn: "x" }], "`hooks[0]` must be an object with a function, `fn`"],
    ["another action", [{ ...good, rule: {} }], "`hooks[0]` has `rule` beside its function"],
    ["an unknown point", [{ ...good, on: "cal" }], "unknown point `cal` (did you mean `call`?)"],
    ["an unknown phase", [{ ...good, phase: "befor" }], "unknown phase `befor` for `hooks[0].phase`"],
    ["a phase of other points", [{ ...good, phase: "prefix" }], "the point `call` has no phase `prefix`"],
    ["an unknown level", [{ ...good, effect: "allow" }], "unknown level `allow` for `hooks[0].effect`"],
    ["an unknown key", [{ ...good, efect: "ask" }], "unknown key `efect` in `hooks[0]` (did you mean `effect`?)"],
    ["an unknown matcher", [{ ...good, when: { tol: "x" } }], "unknown key `tol` in `hooks[0].when`"],
    ["a pattern that is none", [{ ...good, when: { tool: "/(/" } }], "the pattern `(` is not a valid regex"],
    ["an unknown operation", [{ ...good, when: { if: { foo: [] } } }], "unknown operation `foo`"],
    ["a floor above the effect", [{ ...good, floor: "run" }], "the floor `run` is above the hook's effect `ask`"],
    [
      "closed below ask",
      [{ ...good, effect: "advise", failure: "closed" }],
      "`failure: closed` needs an effect of `ask`",
    ],
    ["a guard that opts out", [{ ...good, floor: "ask", recheck: false }], "`recheck: false` does not go with a floor"],
    ["a time of no number", [{ ...good, timeoutMs: "5" }], "`hooks[0].timeoutMs` must be a whole number"],
    [
      "one id twice",
      [
        { ...good, id: "a" },
        { ...good, id: "a" },
      ],
      "the id `a` is used twice (the other is `hooks[0]`; ids are unique",
    ],
  ])("%s: an error that says so", (_, hooks, message) => {
    expect(() => hostHooks(hooks)).toThrow(message)
  })

  test("all that is wrong is told at once", () => {
    expect(() =>
      hostHooks([
        { ...good, efect: "ask" },
        { ...good, timeoutMs: 0 },
      ]),
    ).toThrow(/efect[\s\S]*timeoutMs/)
  })

  test("have the defaults of a file's hooks, and what they may is read in the same way", () => {
    const [plain, more] = hostHooks([
      { on: "call", phase: "before", fn },
      { ...good, id: "b", may: ["retry", "git"], when: undefined },
    ])
    expect(plain).toMatchObject({ id: "host[0]", effect: "advise", timeoutMs: 5000, action: { kind: "function", fn } })
    expect(more).toMatchObject({ id: "b", may: { retry: true, tools: ["git"], argv: ["git"] } })
  })
})

describe("an engine's options", () => {
  const policy = parsePolicy("version: 1")

  test.each<[object, string]>([
    [{ policy, hoks: [] }, "unknown option `hoks`; did you mean `hooks`?"],
    [{}, "an engine needs a `policy`"],
    [{ policy: "version: 1" }, "an engine needs a `policy`"],
    [{ policy, hooks: [{ ...good, on: "cal" }] }, "unknown point `cal`"],
    [{ policy, settings: { "autonomy.max": null } }, "unknown level `null` for autonomy.max"],
  ])("%o: an error that says so", async (options, message) => {
    await expect(createEngine(options as never)).rejects.toThrow(message)
  })
})
