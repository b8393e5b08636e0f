import { describe, expect, test } from "vitest"
import { compareGolden } from "../../golden/compare.ts"
import { showDifferences } from "../../golden/show.ts"

const hook = (id: string, more: object = {}) => ({ type: "hook", on: "call", phase: "before", hook: id, ...more })
const text = (...frames: object[]) => frames.map((frame) => `${JSON.stringify(frame)}\n`).join("")
const shown = (golden: string, got: string) => showDifferences(compareGolden(golden, got))
const VERDICT = { type: "verdict", outcome: "continue" }

describe("a difference is told by frame and member", () => {
  test("the same bytes differ in nothing", () => {
    expect(compareGolden(text(hook("a"), VERDICT), text(hook("a"), VERDICT))).toEqual([])
  })

  test("one frame more leaves those after it alone", () => {
    expect(shown(text(hook("a"), hook("c"), VERDICT), text(hook("a"), hook("b"), hook("c"), VERDICT))).toEqual([
      "not in the golden: hook `b` in call before",
      `  + ${JSON.stringify(hook("b"))}`,
    ])
  })

  test("one frame less is missing", () => {
    expect(shown(text(hook("a"), hook("b"), VERDICT), text(hook("a"), VERDICT))).toEqual([
      "missing: hook `b` in call before (line 2 of the golden)",
      `  - ${JSON.stringify(hook("b"))}`,
    ])
  })

  test("two frames that changed places are a difference", () => {
    expect(compareGolden(text(hook("a"), hook("b")), text(hook("b"), hook("a"))).map(({ how }) => how)).toEqual([
      "missing",
      "extra",
    ])
  })

  test("members deep inside, new ones and lost ones have their paths", () => {
    const golden = hook("a", { dropped: [{ key: "ask", by: ["caller"] }], advise: [] })
    const got = hook("a", { dropped: [{ key: "ask", by: ["daemon", "host"] }], refuse: { reason: "no" } })
    expect(shown(text(golden), text(got))).toEqual([
      "hook `a` in call before (line 1 of the golden)",
      '  - dropped[0].by[0]: "caller"',
      '  + dropped[0].by[0]: "daemon"',
      '  + dropped[0].by[1]: "host"',
      "  - advise: []",
      '  + refuse: {"reason":"no"}',
    ])
  })

  test("a rechecked frame is another frame than the first of its hook", () => {
    const [first] = compareGolden(text(hook("a"), VERDICT), text(hook("a"), hook("a", { recheck: true }), VERDICT))
    expect(first).toMatchObject({ how: "extra", frame: "hook `a` in call before, rechecked" })
  })

  test("the same values in other bytes are a difference all the same", () => {
    const golden = '{"type":"verdict","outcome":"continue"}\n'
    expect(shown(golden, '{"outcome":"continue","type":"verdict"}\n')[0]).toContain("the same values in other bytes")
    expect(shown(golden.trimEnd(), golden)[0]).toContain("the same values in other bytes")
    expect(shown(golden.replace("\n", "\r\n"), golden)[0]).toContain("the same values in other bytes")
  })

  test("a golden that is no NDJSON is told, not thrown", () => {
    expect(shown("<<<<<<< HEAD\n", text(VERDICT))).toEqual([
      "missing: a line that is no frame (line 1 of the golden)",
      '  - "<<<<<<< HEAD"',
      "not in the golden: verdict",
      `  + ${JSON.stringify(VERDICT)}`,
    ])
  })
})
