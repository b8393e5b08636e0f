import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { BOUNDARIES, type Boundary, boundaryRows } from "../../daemon/boundaries.ts"
import { detent, lines } from "../cli/capture.ts"
import { daemonWith } from "../daemon/world.ts"
import type { Attempts, Enforced } from "./attempt.ts"
import { autonomyMax } from "./autonomy-max.ts"
import { origin, scopes, token } from "./callers.ts"
import { ceilings } from "./ceilings.ts"
import { floor } from "./floor.ts"
import { perCall } from "./per-call.ts"
import { audit, ownQuestion, readOnly } from "./questions.ts"
import { untrusted } from "./untrusted.ts"

const ATTEMPTS: { readonly [Id in Enforced]: Attempts<Id> } = {
  "autonomy.max": autonomyMax,
  ceilings,
  floor,
  untrusted,
  "per-call": perCall,
  token,
  scopes,
  origin,
  "read-only": readOnly,
  "own-question": ownQuestion,
  audit,
}

const rows = Object.entries<Boundary>(BOUNDARIES)

describe.each(Object.entries(ATTEMPTS))("%s holds", (_, attempts) => {
  it.each(Object.entries(attempts))("against the %s", async (__, attempt) => {
    expect(await attempt(true)).toBe(false)
  })
  it.each(Object.entries(attempts))("and the same goes through without it: %s", async (__, attempt) => {
    expect(await attempt(false)).toBe(true)
  })
})

describe("the table of boundaries", () => {
  it("has an attempt for every surface of every boundary that is enforced, in the test that it names", () => {
    for (const [id, { state, surfaces, test }] of rows) {
      if (state === "advisory") {
        expect({ id, surfaces, test }).toEqual({ id, surfaces: undefined, test: undefined })
        continue
      }
      expect(Object.keys(ATTEMPTS[id as Enforced]), id).toEqual(surfaces)
      expect(existsSync(new URL(`../../${test}`, import.meta.url)), test).toBe(true)
    }
  })

  it("knows no third state", () => {
    expect(new Set(rows.map(([, { state }]) => state))).toEqual(new Set(["enforced", "advisory"]))
  })

  it("is what the daemon and the command line tell", async () => {
    const daemon = await daemonWith()
    const told = (await daemon.send({ path: "/v1/boundaries" })).body.boundaries
    expect(told).toEqual(boundaryRows())
    expect(told).toContainEqual(expect.objectContaining({ id: "local-caller", state: "advisory" }))
    expect(told).toContainEqual(expect.objectContaining({ id: "rewrite-grants", state: "advisory" }))
    expect(lines((await detent(["boundaries"])).out)).toEqual(told)
    expect((await detent(["boundaries", "--format", "text"])).out).toContain("autonomy.max")
  })
})
