import { Ajv2020 } from "ajv/dist/2020.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkEvent, eventJsonSchema } from "../../policy/events.ts"
import { isPhase } from "../../policy/phases.ts"
import { isPoint, POINT_NAMES, type Point, phasesOf } from "../../policy/points.ts"

const call = { on: "call", phase: "before", server: "fs", tool: "write_file" }

describe("an event", () => {
  it.each<[string, unknown, string[]]>([
    ["with what it needs is good", call, []],
    [
      "with all fields is good",
      {
        ...call,
        args: {},
        meta: {},
        kind: "write",
        target: { path: "x" },
        session: "s",
        agent: "a",
        annotations: {},
        cwd: "/",
        caller: { id: "ci", team: "x" },
      },
      [],
    ],
    [
      "of a script is good",
      { on: "script", phase: "onError", file: "x.ts", args: ["a"], error: { code: "E", message: "m", more: 1 } },
      [],
    ],
    ["must be an object", [], ["an event must be an object"]],
    ["needs a point", { phase: "before" }, ["an event needs `on`, the point that it happens at"]],
    ["of an unknown point", { ...call, on: "cal" }, ["unknown point `cal`; did you mean `call`?"]],
    [
      "of a point of the prototype",
      { ...call, on: "toString" },
      [`unknown point \`toString\`; known are ${POINT_NAMES.join(", ")}`],
    ],
    ["needs a phase", { on: "call" }, ["an event needs `phase`"]],
    [
      "of an unknown phase",
      { ...call, phase: "befor" },
      ["the point `call` has no phase `befor`; did you mean `before`?"],
    ],
    [
      "is not observed at a point",
      { ...call, phase: "observe" },
      ["the point `call` has no phase `observe`; known are before, onSuccess, onError, suffix"],
    ],
    [
      "without server and tool",
      { on: "call", phase: "before" },
      ["an event of `call` needs `server`", "an event of `call` needs `tool`"],
    ],
    ["with an unknown field", { ...call, arg: {} }, ["an event of `call` has no field `arg`; did you mean `args`?"]],
    [
      "with a field of another phase",
      { ...call, result: 1 },
      ["an event of `call` has no field `result` in the phase before"],
    ],
    ["with wrong types", { ...call, args: [], tool: 1 }, ["`tool` must be a text", "`args` must be an object"]],
    [
      "with an unknown member",
      { ...call, target: { file: "x" } },
      ["`target` has no member `file`; known are command, path, url"],
    ],
    ["with a member of a wrong type", { ...call, caller: { id: 1 } }, ["`caller.id` must be a text"]],
  ])("%s", (_, event, problems) => {
    expect([...checkEvent(event)].sort()).toEqual([...problems].sort())
  })
})

describe("the schema of a point and the check by hand", () => {
  const ajv = new Ajv2020({ strict: false })
  const validators = new Map(POINT_NAMES.map((point) => [point, ajv.compile(eventJsonSchema(point))]))
  const leaf = fc.constantFrom<unknown>("x", 1, null, [], {}, { id: "a" }, { path: "x" }, { message: "m" }, { id: 1 })
  const text = fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>("x") }, leaf)
  const object = fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>({}) }, leaf)
  const phase = fc.constantFrom("before", "onSuccess", "onError", "suffix", "prefix", "observe", "x")
  const common = { phase, session: text, cwd: text, args: object, caller: object }
  const events = fc.oneof(
    fc.record(
      {
        on: fc.constant("call"),
        server: text,
        tool: text,
        meta: object,
        target: object,
        kind: text,
        file: text,
        ...common,
      },
      { requiredKeys: ["on", "phase", "server"] },
    ),
    fc.record(
      { on: fc.constant("script"), file: text, code: text, server: text, other: text, ...common },
      { requiredKeys: ["on", "phase"] },
    ),
  )

  it("take the same events of all phases", () => {
    let good = 0
    fc.assert(
      fc.property(events, (event) => {
        const hand = checkEvent(event).length === 0
        if (hand) good++
        expect(validators.get(event.on as Point)!(event)).toBe(hand)
      }),
      { numRuns: 3000 },
    )
    expect(good).toBeGreaterThan(10)
  })

  it("take results and errors where they belong", () => {
    for (const point of POINT_NAMES) {
      for (const phase of phasesOf(point)) {
        const base = point === "call" ? { ...call, phase } : { on: point, phase }
        for (const more of [{ result: 1 }, { error: { code: "c", message: "m" } }]) {
          const event = { ...base, ...more }
          expect(ajv.validate(eventJsonSchema(point, phase), event), `${point} ${phase}`).toBe(
            checkEvent(event).length === 0,
          )
        }
      }
    }
  })
})

it("points and phases are no names of the prototype", () => {
  expect([isPoint("constructor"), isPhase("constructor"), isPoint(1)]).toEqual([false, false, false])
})
