import { describe, expect, it } from "vitest"
import { selectSources, showSkipped } from "../../exec/sources.ts"
import type { Layer, Sourced } from "../../policy/policy.ts"
import { runIt } from "./engine.ts"

const line = (value: string, layer: Layer, source: string): Sourced<string> => ({ value, origin: { layer, source } })
const lines = {
  prefix: [
    line("emit('user')", "user", "user.yaml"),
    null,
    line("emit('env')", "environment", "env:DETENT_SCRIPT_PREFIX"),
  ],
}
const command = {
  prefix: [line("emit('flag')", "flags", "--prefix")],
  suffix: [line("emit('call')", "call", "request")],
}
const ask = { value: "ask", origin: { layer: "flags", source: "--hooks-autonomy" } } as const
const apply = { value: "apply", origin: { layer: "system", source: "/etc/detent/policy.yaml", line: 2 } } as const

describe("the choice of source lines", () => {
  it("takes all of them at run, the command's after the others", () => {
    const { phases, skipped } = selectSources({ lines, command, caller: { ...ask, value: "run" } })
    expect(phases.prefix?.map(({ value }) => value)).toEqual(["emit('user')", "emit('env')", "emit('flag')"])
    expect(Object.keys(phases)).toEqual(["prefix", "suffix"])
    expect(skipped).toEqual([])
  })

  it("skips those of configuration and environment below run, and never the caller's own", () => {
    const { phases, skipped } = selectSources({ lines, command, caller: ask })
    expect(phases).toEqual(command)
    expect(skipped.map(showSkipped)).toEqual([
      "skipped script.prefix from user.yaml: it needs run, and the caller's level is ask (--hooks-autonomy)",
      "skipped script.prefix from env:DETENT_SCRIPT_PREFIX: it needs run, and the caller's level is ask (--hooks-autonomy)",
    ])
  })

  it("names every ceiling below run, with its id and reason", () => {
    const freeze = { value: "ask", origin: apply.origin, id: "freeze", reason: "change freeze" } as const
    const { skipped } = selectSources({
      lines: { suffix: [lines.prefix[0]!] },
      caller: ask,
      daemon: [apply, { ...apply, value: "run" }, freeze],
    })
    expect(skipped.map(showSkipped)).toEqual([
      "skipped script.suffix from user.yaml: it needs run, and the caller's level is ask (--hooks-autonomy), and the daemon's level is apply (/etc/detent/policy.yaml:2), and the daemon's level is ask (`freeze` in /etc/detent/policy.yaml:2): change freeze",
    ])
  })

  it("clamps a daemon's own start flags, which are not its callers'", () => {
    const { phases } = selectSources({ command, caller: ask, own: ["call"] })
    expect(Object.keys(phases)).toEqual(["suffix"])
  })

  it("is told to the user, and the run goes on without them", async () => {
    const notices: string[] = []
    const ran = await runIt(
      { code: "emit('script')", sources: { lines, command, daemon: [apply] } },
      { onNotice: (text) => notices.push(text) },
    )
    expect(ran.emitted).toEqual(["flag", "script", "call"])
    expect(notices).toHaveLength(2)
    expect(notices[0]).toContain("the daemon's level is apply (/etc/detent/policy.yaml:2)")
  })
})
