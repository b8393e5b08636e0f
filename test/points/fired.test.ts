import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { PHASE_NAMES } from "../../policy/phases.ts"
import { POINT_NAMES, type Point, phasesOf } from "../../policy/points.ts"
import { detent, folderWith } from "../cli/capture.ts"
import { stub } from "../mcp/servers.ts"
import { CALLERS, type Marking } from "./callers.ts"

vi.setConfig({ testTimeout: 60_000 })

/** A hook in each of the point's phases that leaves its event in a file, and a line in the one that takes lines alone. */
function marking(point: Point, marks: string): Marking {
  const hooks = phasesOf(point)
    .filter((phase) => phase !== "prefix")
    .map((phase) => ({
      id: `mark-${phase}`,
      on: point,
      phase,
      run: ["sh", "-c", 'cat > "$0"', join(marks, phase)],
      timeoutMs: 30_000,
    }))
  const line = `require("node:fs").writeFileSync(${JSON.stringify(join(marks, "prefix"))}, '{"on":"script","phase":"prefix"}')`
  const lines = phasesOf(point).includes("prefix") ? { "script.prefix": [line] } : {}
  return { hooks, lines }
}

describe("every point is fired by its own caller, and a hook runs in each of its phases", () => {
  it.each(POINT_NAMES)("%s", async (point) => {
    const marks = mkdtempSync(join(tmpdir(), "detent-marks-"))
    await CALLERS[point](marking(point, marks))
    expect(readdirSync(marks).sort()).toEqual([...phasesOf(point)].sort())
    for (const phase of phasesOf(point)) {
      expect(JSON.parse(readFileSync(join(marks, phase), "utf8"))).toMatchObject({ on: point, phase })
    }
  })

  it("and none but these has a caller", () => {
    expect(Object.keys(CALLERS)).toEqual(POINT_NAMES)
  })

  it("the phases are those of the points, and `observe`, which is told afterwards", async () => {
    const all = new Set(POINT_NAMES.flatMap(phasesOf))
    expect(PHASE_NAMES.filter((phase) => !all.has(phase))).toEqual(["observe"])
    const mark = join(mkdtempSync(join(tmpdir(), "detent-marks-")), "observe")
    const observe: JsonObject = { id: "mark", on: "call.", phase: "observe", run: ["sh", "-c", 'cat > "$0"', mark] }
    const cwd = folderWith({ "p.json": { version: 1, servers: { s: stub("one", "ok", "fine") }, hooks: [observe] } })
    await detent(["call", "--policy", "p.json", "s/ok"], { cwd })
    await expect.poll(() => existsSync(mark) && readFileSync(mark, "utf8")).toContain('"phase":"observe"')
  })
})
