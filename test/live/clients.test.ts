import { describe, expect, it } from "vitest"
import { DIALECTS } from "../../dialects/dialects.ts"
import { folderWith } from "../cli/capture.ts"
import { CLIENTS, live, PLACE, PRINTED, programOf } from "./clients.ts"

const MINUTES_2 = 120_000

const hook = (on: string, phase: string, output: object, more: object = {}) => ({
  policy: { version: 1, hooks: [{ id: "a", on, phase, rule: output, effect: "run", ...more }] },
})
/** One hook for the shell of every agent. */
const shell = (phase: string, output: object) => hook("call", phase, output, { when: { kind: "shell" } })

/** What a verdict comes to in each agent, as it was seen. */
type Outcomes = Readonly<Record<string, object>>
const EVERY = (outcome: object): Outcomes => Object.fromEntries(CLIENTS.map(({ agent }) => [agent, outcome]))

interface Case {
  readonly front: (folder: string) => Parameters<typeof live>[3]
  /** a text that the model reads, if the verdict reached it */
  readonly word: string
  readonly seen: Outcomes
}

const RAN = { written: "original", told: false }
const rewrite = (folder: string) =>
  shell("before", { apply: { target: { command: `echo rewritten > ${folder}/out` } } })

const CASES: Readonly<Record<string, Case>> = {
  "no opinion lets it run": {
    front: () => shell("before", {}),
    word: "no such word",
    seen: EVERY({ ...RAN, result: true }),
  },
  "a refusal keeps it from running, and the model reads why": {
    front: () => shell("before", { refuse: "policy says no" }),
    word: "policy says no",
    seen: EVERY({ written: undefined, told: true }),
  },
  "a question that nobody is there to answer keeps it from running": {
    front: () => shell("before", { ask: "are you sure" }),
    word: "are you sure",
    seen: { ...EVERY({ written: undefined, told: true }), copilot: { written: undefined } },
  },
  "a replacement runs in its place, or is refused where it would be a grant": {
    front: rewrite,
    word: "a hook proposes",
    seen: {
      ...EVERY({ written: "rewritten", told: false }),
      codex: { written: undefined, told: true },
      copilot: { written: undefined, told: true },
    },
  },
  "a replacement runs in its place where the operator lets it": {
    front: (folder) => ({ ...rewrite(folder), grants: true }),
    word: "a hook proposes",
    seen: EVERY({ written: "rewritten", told: false }),
  },
  "advice on a result reaches the model": {
    front: () => shell("onSuccess", { advise: "mind the build" }),
    word: "mind the build",
    seen: EVERY({ written: "original", told: true }),
  },
  "a refused result is withheld from the model": {
    front: () => shell("onSuccess", { refuse: "not for you" }),
    word: "not for you",
    seen: EVERY({ written: "original", told: true, result: false }),
  },
  "a turn whose end is refused goes on": {
    front: () =>
      hook(
        "turn",
        "onSuccess",
        { refuse: "not before the suite is green" },
        { when: { if: { "!": [{ var: "goesOn" }] } } },
      ),
    word: "not before the suite is green",
    seen: { ...EVERY({ written: "original", told: true }), opencode: RAN },
  },
  "a refused prompt never reaches the model": {
    front: () => hook("prompt", "before", { refuse: "not that" }),
    word: "Write the file.",
    seen: { ...EVERY({ written: undefined, told: false }), copilot: { written: "original", told: true } },
  },
}

it("the reference says of these agents alone that they were tried", () => {
  const tried = Object.values(DIALECTS).filter((dialect) => dialect.tried !== undefined)
  expect(tried.map(({ name }) => name)).toEqual(CLIENTS.map(({ agent }) => agent))
})

describe.each(CLIENTS.map((client) => [client.agent, client] as const))("%s, as its makers ship it", (_, client) => {
  const program = programOf(client)
  if (program === undefined) {
    it.skip(`is not tried: there is no \`${client.program}\` in the folder of ${PLACE}, or on the path`, () => {})
    return
  }
  it.each(Object.entries(CASES))(
    "%s",
    async (_, { front, word, seen }) => {
      const folder = folderWith()
      const run = await live(client, program, folder, front(folder))
      const told = (text: string): boolean => run.asked.some((request) => request.includes(text))
      expect({ ...run, told: told(word), result: told(PRINTED) }).toMatchObject(seen[client.agent]!)
    },
    MINUTES_2,
  )
})
