import { describe, expect, test } from "vitest"
import type { HookFrame } from "../../frames/frames.ts"
import { parsePolicy } from "../../policy/parse.ts"
import type { Grant } from "../../policy/policy.ts"
import { engineOf, hook, WRITE } from "./world.ts"

const grant = (more: Partial<Grant> = {}): Grant => ({
  server: "fs",
  max: "run",
  origin: { layer: "default" },
  ...more,
})
const up = { down: async () => undefined }

describe("a hook that comes with a server", () => {
  test("fires on the tools of its grant and on nothing else", async () => {
    const engine = engineOf(
      [
        { ...hook("own", { rule: { advise: "own" } }), grant: grant() },
        { ...hook("wide", { rule: { advise: "wide" } }), grant: grant({ on: ["**"] }) },
        { ...hook("script", { on: "script", rule: { advise: "never" } }), grant: grant({ on: ["**"] }) },
      ],
      up,
    )
    const ids = async (on: string, event: object) =>
      (await engine.fire(on, "before", event as never)).frames.map((frame) => (frame as HookFrame).hook)
    expect(await ids("call", WRITE)).toEqual(["own", "wide"])
    expect(await ids("call", { ...WRITE, server: "docs" })).toEqual(["wide"])
    expect(await ids("script", { code: "1", args: [] })).toEqual([])
  })

  test("looks again after a rewrite, and does not where its server has gone meanwhile", async () => {
    let gone = false
    const engine = engineOf(
      [
        hook("rewrites", { effect: "apply", rule: { apply: { merge: { path: "b" } } } }),
        {
          ...hook("guard", { effect: "ask", failure: "closed", rule: { refuse: { logic: { var: "none" } } } }),
          grant: grant(),
        },
      ],
      {
        down: async () => {
          gone = !gone
          return gone ? undefined : "it has gone"
        },
      },
    )
    const { outcome, refusal } = await engine.fire("call", "before", WRITE)
    expect([outcome, refusal?.code]).toEqual(["refuse", "hook_failed"])
  })

  test("observes while its server is there, and fails to where it is not", async () => {
    const frames: HookFrame[] = []
    const watch = {
      ...hook("watch", { on: "call.finished", phase: "observe", effect: "off", rule: {} }),
      grant: grant(),
    }
    for (const down of [async () => undefined, async () => "it is down"]) {
      const engine = engineOf([watch], { down }, { onObserved: (frame) => void frames.push(frame as HookFrame) })
      await engine.around("call", WRITE, () => "ok")
      await engine.close()
    }
    expect(frames.map(({ failed }) => failed?.kind)).toEqual([undefined, "unavailable"])
  })

  test("fails where no server can be reached at all", async () => {
    const engine = engineOf([{ ...hook("own", { rule: { advise: "own" } }), grant: grant() }], {})
    const { frames } = await engine.fire("call", "before", WRITE)
    expect(frames).toMatchObject([{ failed: { kind: "unavailable", message: expect.stringContaining("no server") } }])
  })
})

test("an engine does not start where a manifest that its policy names has not been read", () => {
  const policy = parsePolicy("servers: { plug: { command: [plug], manifest: hooks.yaml } }")
  expect(policy.warnings).toMatchObject([{ message: "the hooks of the manifest `hooks.yaml` are not read here" }])
  expect(() => engineOf([], {}, { policy })).toThrow("the manifest of the server `plug` has not been read")
})
