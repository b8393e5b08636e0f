import { spawn, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { findProgram } from "../../actions/run/program.ts"
import { type Choice, daemonWith } from "../daemon/world.ts"
import { detent, environment, policy, type Ran, rule } from "./capture.ts"
import { BIN } from "./process.ts"

const REFUSING = policy([rule("no-shell", { refuse: "not @target.command" }, { when: { kind: "shell" } })])
const payload = (tool_name: string, command: string) =>
  JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", tool_name, tool_input: { command } })

/** The programs that a shell script of ours may call; what is not on this machine is not tried. */
const TOOLS = ["curl", "nc"] as const
const path = process.env.PATH
const placeOf = (name: string): string | undefined => {
  const program = findProgram(name, "/", path, "/")
  return "file" in program ? program.file : undefined
}
const knowsSockets = (name: string): boolean =>
  name !== "nc" || /\[-\w*U/.test(String(spawnSync("nc", ["-h"], { encoding: "utf8" }).stderr))
const speakers = TOOLS.filter((name) => placeOf(name) !== undefined && knowsSockets(name))

/** A daemon, and a thin client for it that finds these programs and no others. */
async function thin(programs: readonly string[], choice: Choice = {}) {
  const daemon = await daemonWith({ policy: REFUSING, ...choice })
  const bin = join(daemon.cwd, "bin")
  mkdirSync(bin)
  for (const name of ["sh", "cat", ...programs]) symlinkSync(placeOf(name)!, join(bin, name))
  const detentFile = join(bin, "detent")
  writeFileSync(detentFile, `#!${placeOf("sh")}\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(detentFile, 0o755)
  const env = { ...environment(join(daemon.cwd, "home")), PATH: bin }
  const socket = (daemon.way as { socketPath: string }).socketPath
  const words = ["init", "--agent", "claude-code", "--thin", "--yes", "--command", detentFile, "--socket", socket]
  const made = await detent(words, { cwd: daemon.cwd, env: { PATH: bin } })
  expect(made.code).toBe(0)
  const settings = JSON.parse(readFileSync(join(daemon.cwd, ".claude/settings.json"), "utf8"))
  const ask = (stdin: string, event = "PreToolUse", more: Readonly<Record<string, string>> = {}): Promise<Ran> => {
    const line: string = settings.hooks[event][0].hooks[0].command
    return new Promise((resolve) => {
      const child = spawn(placeOf("sh")!, ["-c", line], { cwd: daemon.cwd, env: { ...env, ...more } })
      const ran = { out: "", err: "" }
      child.stdout.setEncoding("utf8").on("data", (text) => {
        ran.out += text
      })
      child.stderr.setEncoding("utf8").on("data", (text) => {
        ran.err += text
      })
      child.stdin.on("error", () => {})
      child.on("close", (code) => resolve({ code: code ?? -1, ...ran }))
      child.stdin.end(stdin)
    })
  }
  return { daemon, ask, file: join(daemon.cwd, "home/.local/state/detent/hook.sh"), env: { PATH: bin } }
}

it("something that speaks is on this machine, so that the thin client is tried", () => {
  expect(speakers).not.toEqual([])
})

describe.each([...speakers, "Node alone"])("the thin client with %s", (speaker) => {
  const programs = speaker === "Node alone" ? [] : [speaker]

  it("answers as `detent hook` does, under the daemon's policy", async () => {
    const { ask, file } = await thin(programs)
    const denied = await ask(payload("Bash", "rm 'é' \\ %s"))
    expect(denied).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(denied.out).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: `not ${JSON.stringify("rm 'é' \\ %s")}`,
    })
    expect(await ask(payload("Read", "x"))).toEqual({ code: 0, out: "", err: "" })
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700)
  })

  it("takes a payload of a megabyte", async () => {
    const { ask } = await thin(programs)
    expect((await ask(payload("Bash", "x".repeat(1_000_000)))).out).toContain('"deny"')
  })

  it("refuses where the daemon is gone, and lets the end of a turn pass", async () => {
    const { daemon, ask } = await thin(programs)
    await daemon.running.stop(1000)
    const gone = await ask(payload("Bash", "ls"))
    expect(gone.code === 2 || gone.out.includes('"deny"')).toBe(true)
    expect(`${gone.out}${gone.err}`).toContain("no daemon answers")
    const stop = JSON.stringify({ session_id: "s", hook_event_name: "Stop" })
    const ended = await ask(stop, "Stop")
    expect(ended.code).toBe(0)
    expect(ended.out).not.toContain("block")
  })

  it("refuses what the daemon cannot read, and says why", async () => {
    const { ask } = await thin(programs)
    const ran = await ask("{")
    expect(ran).toMatchObject({ code: 2, out: "" })
    expect(ran.err).toMatch(/no JSON/)
  })

  it("shows the token of whoever has one, and keeps it out of command lines", async () => {
    const { ask, file } = await thin(programs)
    const ran = await ask(payload("Bash", "ls"), "PreToolUse", { DETENT_TOKEN: "nobody's" })
    expect(`${ran.out}${ran.err}`).toMatch(/token is nobody's/)
    expect(readFileSync(file, "utf8")).not.toMatch(/-H[^\n]*TOKEN/)
  })
})

describe("init --thin", () => {
  it("is undone with the rest", async () => {
    const { daemon, file, env } = await thin([])
    await detent(["init", "--agent", "claude-code", "--thin", "--remove", "--yes"], { cwd: daemon.cwd, env })
    expect([existsSync(file), existsSync(join(daemon.cwd, ".claude/settings.json"))]).toEqual([false, false])
  })

  it("takes no policy of its own", async () => {
    const ran = await detent(["init", "--agent", "codex", "--thin", "--policy", "p.json"])
    expect(ran.err).toContain("the daemon's policy is in force")
  })

  it("is seen by doctor, which asks the daemon", async () => {
    const { daemon, env } = await thin([])
    const ran = spawn(process.execPath, [BIN, "doctor", "--agent", "claude-code", "--live", "--format", "json"], {
      cwd: daemon.cwd,
      env: { ...environment(join(daemon.cwd, "home")), ...env },
    })
    let out = ""
    ran.stdout.setEncoding("utf8").on("data", (text) => {
      out += text
    })
    const code = await new Promise((resolve) => ran.on("close", resolve))
    expect(JSON.parse(out)[0].live).toMatchObject({ refused: true, how: expect.stringContaining("of no agent") })
    expect(code).toBe(0)
  })
})
