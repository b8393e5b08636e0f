import { describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import type { Answer, MomentRow } from "../../dialects/dialect.ts"
import { DIALECTS } from "../../dialects/dialects.ts"
import { fireMoments } from "../../dialects/fire.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { carries, pointRow } from "../../policy/points.ts"
import { policy, rule } from "../cli/capture.ts"

/** What an event of each point carries at the least, so that every verdict has something to be about. */
const CARRIED = {
  tool: "Bash",
  args: { command: "ls -l" },
  prompt: "the prompt",
  result: "the result",
  error: { code: "error", message: "the error" },
  reason: "exit",
  source: "startup",
}

/** What an agent is told at one of its events when a hook says this there; and what stands on stderr, for people. */
async function told(agent: string, name: string, output: object, grants = false): Promise<Answer & { losses: string }> {
  const dialect = DIALECTS[agent]!
  const row: MomentRow = dialect.moments[name]!
  const fields = { ...CARRIED, server: agent, session: "s" }
  const event = Object.fromEntries(
    Object.entries(fields).filter(
      ([field]) => carries(row.on, field, row.phases[0]) && !(field === "error" && ends(row)),
    ),
  )
  const text = policy([rule("a", output, { on: row.on, phase: row.phases[0] })])
  const engine = await createEngine({ policy: parsePolicy(text, { file: "p.json" }) })
  const reading = { dialect, name, row, event, notes: [] }
  const ruling = await fireMoments(
    (on, phase, given, more) => engine.fire(on, phase, given, { caller: { id: agent }, ...more }),
    reading,
    { rewriteGrants: grants, timeoutMs: 10_000 },
  )
  await engine.close()
  return { ...dialect.answer(reading, ruling), losses: ruling.notices.join("\n") }
}

/** An end without an error: one with it carries no result. */
const ends = ({ phases }: MomentRow): boolean => phases[0] !== "onError"
const textOf = ({ stdout, stderr }: Answer): string => JSON.stringify({ stdout, stderr })

const rows = Object.values(DIALECTS).flatMap(({ name, moments }) =>
  Object.entries(moments).map(([event, row]) => [name, event, row as MomentRow] as const),
)
const subjectOf = ({ on, phases }: MomentRow): string => pointRow(on).phases[phases[0]!]?.subject ?? "none"

/** The replacement of what a moment has, and how it is known again. */
const REPLACED: Readonly<Record<string, object>> = {
  args: { input: { command: "NEW" } },
  prompt: { input: "NEW" },
  result: { result: "NEW" },
  error: { error: { code: "error", message: "NEW" } },
}

describe("what the reference of hosts says of an event is what the agent is told", () => {
  it.each(rows)("%s %s: no opinion says nothing", async (agent, event) => {
    const { stdout, stderr, exitCode } = await told(agent, event, {})
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: undefined, stderr: undefined, exitCode: 0 })
  })

  it.each(rows)("%s %s: a refusal, its reason included, or that it is dropped", async (agent, event, row) => {
    const answer = await told(agent, event, { refuse: "REASON" })
    if (row.refuse === "none") expect(answer.losses).toContain("`refuse` is dropped")
    else expect(textOf(answer)).toContain("REASON")
  })

  it.each(rows)("%s %s: a question is put, or refused as one, or dropped", async (agent, event, row) => {
    const answer = await told(agent, event, { ask: "SURE" })
    if (row.refuse === "none") expect(answer.losses).toContain("`ask` is dropped")
    // What stands before a permission is asked by the agent anyway: nothing has to be said for that.
    else if (row.ask === "asks" && row.on === "permission") expect(textOf(answer)).not.toContain("deny")
    else {
      expect(textOf(answer)).toContain("SURE")
      expect(textOf(answer).includes("can put no question here")).toBe(row.ask === "refuses")
    }
  })

  it.each(rows.filter(([, , row]) => subjectOf(row) !== "none"))(
    "%s %s: a replacement takes its place, or is refused with what was proposed, or dropped",
    async (agent, event, row) => {
      const answer = await told(agent, event, { apply: REPLACED[subjectOf(row)] })
      if (row.apply === "replaces") {
        expect(textOf(answer)).toContain("NEW")
        expect(textOf(answer)).not.toContain("proposes")
      } else if (row.refuse === "none") expect(answer.losses).toContain("`apply` is dropped")
      else expect(textOf(answer)).toContain("cannot be trusted with a replacement here")
    },
  )

  it.each(rows.filter(([, , { apply, refuse }]) => refuse !== "none" && (apply === "grants" || apply === "unsure")))(
    "%s %s: a replacement takes its place where the operator lets it",
    async (agent, event, row) => {
      const answer = await told(agent, event, { apply: REPLACED[subjectOf(row)] }, true)
      expect(textOf(answer)).toContain("NEW")
      expect(textOf(answer)).not.toContain("proposes")
    },
  )

  it.each(rows)("%s %s: advice reaches whom it says", async (agent, event, { advise }) => {
    const answer = await told(agent, event, { advise: "MIND" })
    if (advise !== "stderr") expect(textOf(answer)).toContain("MIND")
    else expect(answer.stdout).toBeUndefined()
  })

  it.each(rows.filter(([, , { on, phases }]) => on === "call" && phases[0] === "before"))(
    "%s %s: an answer in the call's place is refused, and says it",
    async (agent, event) => {
      expect(textOf(await told(agent, event, { apply: { result: "42" } }))).toContain("42")
    },
  )

  it.each(rows.filter(([, , { on, phases }]) => on === "call" && phases[0] === "before"))(
    "%s %s: a proposal is put or refused, and never passed over",
    async (agent, event) => {
      expect(textOf(await told(agent, event, { propose: { input: { command: "NEW" } } }))).toContain("NEW")
    },
  )
})
