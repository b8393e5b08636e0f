import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const CASES = fileURLToPath(new URL("../../fixtures/cases", import.meta.url))

/** Written out: it is what others rely on, and not what the code says of itself. */
const HOOK =
  "type on phase hook action effect durationMs changed requested clampedBy ceilings dropped original originalMeta advise ask refuse propose ran failed skipped recheck usage notes"
const VERDICT = "type outcome input result error advice proposals questions refusal ceilings"

const told = readdirSync(CASES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".golden.ndjson"))
  .flatMap((name) => readFileSync(join(CASES, name), "utf8").trimEnd().split("\n"))
  .map((line) => JSON.parse(line) as { readonly type: string })

describe("the members of", () => {
  it.each([
    ["hook", HOOK],
    ["verdict", VERDICT],
  ])("every %s stand in one order", (type, order) => {
    const frames = told.filter((frame) => frame.type === type)
    expect(frames.length).toBeGreaterThan(100)
    const names = order.split(" ")
    for (const frame of frames) expect(Object.keys(frame)).toEqual(names.filter((name) => Object.hasOwn(frame, name)))
  })
})
