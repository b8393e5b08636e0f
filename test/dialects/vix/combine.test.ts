import { describe, expect, it } from "vitest"
import { combine, type Said } from "../../../dialects/vix/combine.ts"
import { BEHAVIORS, type Decision } from "../../../dialects/vix/decision.ts"

const EACH: Record<Decision["behavior"], Decision> = {
  allow: { behavior: "allow" },
  context: { behavior: "context", context: "c" },
  modify: { behavior: "modify", input: { a: 1 } },
  deny: { behavior: "deny", reason: "no" },
}
const said = (id: string, decision: Decision, blocking = true): Said => ({ id, blocking, decision })

describe("several hooks on one event", () => {
  const pairs = BEHAVIORS.flatMap((a) => BEHAVIORS.map((b) => [a, b] as const))
  it.each(pairs)("of %s and %s the more restrictive wins, in either order", (a, b) => {
    const wins = BEHAVIORS[Math.max(BEHAVIORS.indexOf(a), BEHAVIORS.indexOf(b))]
    expect(combine([said("one", EACH[a]), said("two", EACH[b])]).decision.behavior).toBe(wins)
  })

  it("keeps the first denial's reason and joins the context of all by line breaks", () => {
    const { decision, by } = combine([
      said("one", { behavior: "context", context: "first" }),
      said("two", { behavior: "deny", reason: "because", context: "second" }),
      said("three", { behavior: "deny", reason: "too late" }),
      said("four", { behavior: "allow", context: "third" }),
    ])
    expect(decision).toEqual({ behavior: "deny", reason: "because", context: "first\nsecond\nthird" })
    expect(by).toBe("two")
  })

  it("names the hook where a denial gives no reason", () => {
    expect(combine([said("one", { behavior: "deny" })]).decision.reason).toBe("denied by the hook `one`")
  })

  it("takes the first rewrite and reports the other", () => {
    const { decision, reports } = combine([
      said("one", { behavior: "modify", input: { a: 1 } }),
      said("two", { behavior: "modify", input: { a: 2 } }),
    ])
    expect(decision).toEqual({ behavior: "modify", input: { a: 1 } })
    expect(reports).toEqual(["the `modify` of the hook `two` does not count: `one` came before it"])
  })

  it.each(["deny", "modify"] as const)(
    "lowers the %s of a hook that is not blocking, keeps its context, and says so",
    (kind) => {
      const { decision, reports, heard } = combine([said("soft", { ...EACH[kind], context: "note" }, false)])
      expect(decision).toEqual({ behavior: "context", context: "note" })
      expect(reports).toEqual([`the \`${kind}\` of the hook \`soft\` does not count: it is not blocking`])
      expect(heard[0]?.lowered).toBe(kind)
    },
  )

  it("allows where nobody says anything", () => {
    expect(combine([])).toEqual({ decision: { behavior: "allow" }, heard: [], reports: [] })
  })
})
