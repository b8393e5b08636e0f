import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { INIT_NAMES } from "../../dialects/setup/places.ts"
import { detent, environment, folderWith, lines, policy, rule } from "./capture.ts"
import { BIN } from "./process.ts"

const DETENT = `'${process.execPath}' '${BIN}'`
const GUARD = policy([rule("guard", { refuse: "no" }, { when: { kind: "shell" }, effect: "ask" })])
const SETTINGS = ".claude/settings.json"

const world = async (agent: string, command = DETENT, text = GUARD): Promise<string> => {
  const cwd = folderWith({ "detent.json": text })
  await detent(["init", "--agent", agent, "--yes", "--command", command], { cwd })
  return cwd
}

interface Told {
  readonly agent: string
  readonly found?: object
  readonly gaps: readonly { readonly kind: string; readonly message: string; readonly line?: number }[]
  readonly live?: { readonly refused: boolean; readonly how: string }
}

const doctor = async (agent: string, cwd: string, ...words: string[]) => {
  const ran = await detent(["doctor", "--agent", agent, ...words], { cwd })
  const [report] = lines(ran.out) as unknown as Told[]
  const open = report!.gaps.filter(({ kind }) => kind === "open").map(({ message }) => message)
  return { ...ran, report: report!, open }
}

/** The settings of Claude Code, changed by hand. */
const changed = async (change: (text: string) => string): Promise<string> => {
  const cwd = await world("claude-code")
  const file = join(cwd, SETTINGS)
  writeFileSync(file, change(readFileSync(file, "utf8")))
  return cwd
}

describe.each(INIT_NAMES)("doctor --live of %s", (agent) => {
  it("sees a call refused through the configuration that init has written", async () => {
    const cwd = await world(agent)
    const { code, open, report } = await doctor(agent, cwd, "--live")
    expect({ open, live: report.live }).toEqual({
      open: [],
      live: {
        event: expect.any(String),
        refused: true,
        how: "by the hook that was put there to refuse it",
      },
    })
    expect(code).toBe(0)
  })

  it("says where it was not", async () => {
    const cwd = await world(agent, "true #")
    const { code, open } = await doctor(agent, cwd, "--live")
    expect(open.join("\n")).toContain("a call that has to be refused was not")
    expect(code).toBe(1)
  })
})

describe("doctor finds what is open", () => {
  it.each<[string, (text: string) => string, string]>([
    [
      "a gate that is not there",
      (text) => text.replace('"PreToolUse"', '"Notification"'),
      "PreToolUse: Detent is not asked",
    ],
    [
      "a gate that is asked about some tools only",
      (text) => text.replace('"hooks": [\n          {', '"matcher": "Bash", "hooks": [\n          {'),
      "asked only about what fits `Bash`",
    ],
    [
      "a hook that does not refuse where it cannot start",
      (text) => text.replaceAll(/ \|\| exit 2|,\s*"onFailure": "block"/g, ""),
      "cannot be started",
    ],
    [
      "`--on-failure open`",
      (text) => text.replaceAll("--on-failure closed", "--on-failure open"),
      "where Detent fails",
    ],
    ["an agent that gives up first", (text) => text.replace('"timeout": 600', '"timeout": 5'), "gives up after 5 s"],
    ["hooks that are switched off", (text) => text.replace("{", '{ "disableAllHooks": true,'), "`disableAllHooks`"],
    ["a file that nobody can read", (text) => `${text},`, "nobody can read it"],
  ])("%s", async (_, change, wanted) => {
    const { code, open } = await doctor("claude-code", await changed(change))
    expect(open.join("\n")).toContain(wanted)
    expect(code).toBe(1)
  })

  it("an agent that does not ask at all, and how to mend it", async () => {
    const { code, open } = await doctor("gemini", folderWith())
    expect(open).toEqual(["Detent is not in front of it: `detent init --agent gemini`"])
    expect(code).toBe(1)
  })

  it("a policy without any hook", async () => {
    const { open } = await doctor("codex", await world("codex", DETENT, policy([])))
    expect(open).toEqual(["no hook is in force here: everything goes on"])
  })

  it("the switch of Codex's other file", async () => {
    const cwd = await world("codex")
    writeFileSync(join(cwd, ".codex/config.toml"), "[features]\nhooks = false\n")
    expect((await doctor("codex", cwd)).open).toEqual(["`hooks = false` switches all hooks off"])
  })
})

describe("doctor notes", () => {
  it("a command that cannot start, and that everything is refused then", async () => {
    const { code, report } = await doctor("claude-code", await world("claude-code", "/gone/detent"))
    expect(report.gaps[0]!.message).toBe("PreToolUse: `/gone/detent` was not found: everything is refused")
    expect(report.gaps[0]!.line).toBeGreaterThan(1)
    expect(report.gaps.map(({ message }) => message).join("\n")).toContain(
      "SessionStart: `/gone/detent` was not found: Detent is not told of it",
    )
    expect(code).toBe(0)
  })

  it("a policy that does not load, and hooks that the agent never asks", async () => {
    const cwd = await world(
      "gemini",
      DETENT,
      policy([rule("end", { refuse: "no" }, { on: "resource.read", phase: "before" })]),
    )
    expect((await doctor("gemini", cwd)).report.gaps).toEqual([
      { kind: "note", message: "`end` is never asked: Gemini CLI has no resource.read before" },
    ])
    writeFileSync(join(cwd, "detent.json"), "{")
    expect((await doctor("gemini", cwd)).report.gaps[0]!.message).toContain("the policy does not load")
  })

  it("an agent's program, its version, and that nothing was tried", async () => {
    const cwd = await world("codex")
    const bin = folderWith({ codex: "#!/bin/sh\necho codex-cli 9.8.7\n" })
    chmodSync(join(bin, "codex"), 0o755)
    const { PATH } = environment("/")
    const ran = await detent(["doctor", "--format", "text"], { cwd, env: { PATH: `${bin}:${PATH}` } })
    expect(ran.out).toContain(`codex: ${bin}/codex 9.8.7`)
    expect(ran.err).toContain("nothing was tried")
  })
})
