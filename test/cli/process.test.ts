import { spawn, spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { isAlive } from "../actions/hooks.ts"
import { EVENT, environment, folderWith, lines, policy, rule } from "./capture.ts"
import { BIN, start } from "./process.ts"

const refusing = { "p.json": policy([rule("a", { refuse: "no" })]), "e.json": EVENT }
const DECIDE = ["decide", "--policy", "p.json", "--event", "-"]
const stdin = JSON.stringify(EVENT)

const stable = (text: string) => text.replace(/"durationMs":[\d.e-]+/g, "")

/** The files that start quickly, copied; `rest`: links to all else of the build. */
function copyOfBuild(cwd: string): { readonly bin: string; readonly rest: readonly string[] } {
  const [from, to] = [dirname(BIN), join(cwd, "dist")]
  mkdirSync(to)
  const rest: string[] = []
  for (const name of readdirSync(from)) {
    if (/\.(cjs|v8)$/.test(name)) copyFileSync(join(from, name), join(to, name))
    else {
      symlinkSync(join(from, name), join(to, name))
      rest.push(join(to, name))
    }
  }
  return { bin: join(to, "bin.cjs"), rest }
}

/** The process's number in a file; 0 while there is none. */
const pidIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0)

describe("decide as a process", () => {
  it("reads the event from stdin and answers on stdout, frames first", () => {
    const { code, out, err } = start(DECIDE, { cwd: folderWith(refusing), stdin })
    expect({ code, err }).toEqual({ code: 2, err: "" })
    expect(lines(out).map(({ type }) => type)).toEqual(["hook", "verdict"])
  })

  it("answers the same from its cache, with nothing of the rest of the program at hand", () => {
    const cwd = folderWith(refusing)
    const { bin, rest } = copyOfBuild(cwd)
    const first = start(DECIDE, { cwd, stdin, bin })
    expect(readdirSync(join(cwd, "home", ".cache", "detent"))).toHaveLength(1)
    for (const part of rest) rmSync(part)
    const again = start(DECIDE, { cwd, stdin, bin })
    expect({ ...again, out: stable(again.out) }).toEqual({ ...first, out: stable(first.out) })
    expect(again.code).toBe(2)
    // Without an entry it needs the rest, which shows that the test above could have failed.
    expect(start(DECIDE, { cwd: folderWith(refusing), stdin, bin }).code).toBe(1)
  })

  it("does without V8's compiled code, and with one that is another's or cut off", () => {
    const cwd = folderWith(refusing)
    const { bin } = copyOfBuild(cwd)
    const [code = ""] = readdirSync(dirname(bin)).filter((name) => name.endsWith(".v8"))
    expect(code).toContain(`${process.version}-${process.platform}-${process.arch}`)
    const file = join(dirname(bin), code)
    const whole = readFileSync(file)
    const expected = stable(start(DECIDE, { cwd, stdin, bin }).out)
    const of = (bytes: Uint8Array) => {
      writeFileSync(file, bytes)
      return stable(start(DECIDE, { cwd, stdin, bin }).out)
    }
    expect(of(new Uint8Array())).toBe(expected)
    expect(of(whole.subarray(0, 100))).toBe(expected)
    expect(of(whole.subarray(0, whole.length - 4))).toBe(expected)
    expect(of(Buffer.from("no code at all, and long enough to hold a header of some kind"))).toBe(expected)
    rmSync(file)
    expect(stable(start(DECIDE, { cwd, stdin, bin }).out)).toBe(expected)
  })

  it("keeps its guards where the folder that it was started in has been removed", () => {
    const cwd = folderWith({
      ...refusing,
      "detent.json": policy([rule("above", { refuse: "found above" }, { effect: "ask" })]),
    })
    const removed = (words: string) => {
      const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" decide ${words} --event "$2"`
      const env = environment(join(cwd, "home"))
      return spawnSync("sh", ["-c", script, process.execPath, BIN, join(cwd, "e.json")], { cwd, env, encoding: "utf8" })
    }
    const said = `detent: the working folder \`${join(realpathSync(cwd), "gone")}\` is gone; policies are looked for above it\n`
    for (const [words, reason] of [
      [`--policy "${join(cwd, "p.json")}"`, "no"],
      ["", "found above"],
    ] as const) {
      const { status, stdout, stderr } = removed(words)
      expect({ status, stderr }).toEqual({ status: 2, stderr: said })
      expect(lines(stdout).at(-1)).toMatchObject({ outcome: "refuse", refusal: { reason } })
    }
  })

  it("runs programs, modules and regexes of a policy, first and from the cache", () => {
    const hooks = [
      { id: "runs", on: "call", phase: "before", run: ["sh", "-c", 'echo \'{"advise":"ran"}\''], effect: "ask" },
      { id: "loads", on: "call", phase: "before", module: "./m.mjs", effect: "ask" },
      rule("matches", { refuse: "no" }, { when: { tool: "/w[a-z]{3}e_file/", if: { matches: ["ab1", "[a-z]+\\d"] } } }),
    ]
    const cwd = folderWith({ "p.json": policy(hooks), "m.mjs": 'export default () => ({ advise: "loaded" })' })
    for (let turn = 0; turn < 2; turn++) {
      const { code, out, err } = start(DECIDE, { cwd, stdin })
      expect({ code, err }).toEqual({ code: 2, err: "" })
      const [ran, loaded] = lines(out)
      expect([ran?.advise, loaded?.advise]).toEqual([[{ text: "ran" }], [{ text: "loaded" }]])
    }
  })

  it("tells what is wrong with flags, event and policy on stderr alone, with 1", () => {
    const cwd = folderWith({ ...refusing, "bad.yaml": "version: 2\n" })
    for (const [words, text, fault] of [
      [["decide", "--evnt", "-"], stdin, "detent: unknown flag `--evnt` of decide (did you mean `--event`?)"],
      [DECIDE, "", "detent: the event in stdin is empty (one JSON object is expected)"],
      [["decide", "--policy", "bad.yaml", "--event", "-"], stdin, "bad.yaml:1:10: error: `version` must be 1"],
    ] as const) {
      const { code, out, err } = start(words, { cwd, stdin: text })
      expect({ code, out }).toEqual({ code: 1, out: "" })
      expect(err.split("\n")[0]).toContain(fault.slice(0, 40))
      expect(err).not.toMatch(/ {4}at /)
    }
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends on %s, and so does all that its hooks have started", async (signal, expected) => {
    const script = "sleep 60 & echo $! > child.pid; wait"
    const hooks = [{ id: "slow", on: "call", phase: "before", run: ["sh", "-c", script], timeoutMs: 60_000 }]
    const cwd = folderWith({ ...refusing, "p.json": policy(hooks) })
    const child = spawn(process.execPath, [BIN, ...DECIDE], { cwd, env: environment(join(cwd, "home")) })
    child.stdin.end(stdin)
    const ended = new Promise((done) => child.on("close", done))
    const pid = await vi.waitUntil(() => pidIn(join(cwd, "child.pid")), { timeout: 10_000 })
    child.kill(signal)
    expect(await ended).toBe(expected)
    expect(await isAlive(pid)).toBe(false)
  })

  it("says that stdout cannot be written; that stderr cannot changes nothing", () => {
    const cwd = folderWith(refusing)
    const to = (where: string) =>
      spawnSync("sh", ["-c", `exec "$0" "$@" ${where}`, process.execPath, BIN, ...DECIDE, "--hooks-autonomy", "run"], {
        cwd,
        input: stdin,
        env: environment(join(cwd, "home"), { DETENT_NOTHING: "1" }),
        encoding: "utf8",
      })
    const { status, stderr } = to(">/dev/full")
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "detent: `DETENT_NOTHING` is no setting and is not used\ndetent: stdout cannot be written: ENOSPC\n",
    })
    expect(to("2>/dev/full").status).toBe(2)
  })

  it("ends quietly, with its own exit code, where nobody reads", async () => {
    const cwd = folderWith({ ...refusing, "p.json": policy([rule("a", { refuse: "x".repeat(300_000) })]) })
    const child = spawn(process.execPath, [BIN, ...DECIDE], { cwd, env: environment(join(cwd, "home")) })
    let err = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text
    })
    child.stdout.destroy()
    child.stdin.end(stdin)
    const code = await new Promise((done) => child.on("close", done))
    expect({ code, err }).toEqual({ code: 2, err: "" })
  })

  it("writes all of a large answer into a pipe that is read late", async () => {
    const cwd = folderWith({ "p.json": policy([rule("a", { advise: "€".repeat(500_000) })]) })
    const child = spawn(process.execPath, [BIN, ...DECIDE], { cwd, env: environment(join(cwd, "home")) })
    child.stdin.end(stdin)
    await new Promise((done) => setTimeout(done, 300))
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
    const [hook, verdict] = lines(Buffer.concat(chunks).toString("utf8"))
    expect(hook?.advise).toEqual([{ text: "€".repeat(500_000) }])
    expect(verdict?.type).toBe("verdict")
  })
})

describe("colour", () => {
  const words = [...DECIDE, "--format", "text"]
  const out = (env: Record<string, string>) => start(words, { cwd: folderWith(refusing), stdin, env }).out
  const ESCAPE = "\u001b["

  it("is not sent into a pipe", () => {
    expect(out({})).toBe("a [call before, rule, run] refused: no\nrefused by a: no\n")
  })

  it("is where FORCE_COLOR asks for it, but not where NO_COLOR is set", () => {
    expect(out({ FORCE_COLOR: "1" })).toContain(ESCAPE)
    expect(out({ FORCE_COLOR: "0" })).not.toContain(ESCAPE)
    expect(out({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain(ESCAPE)
    expect(out({ FORCE_COLOR: "1", NO_COLOR: "" })).toContain(ESCAPE)
  })
})

it("an error shows a stack only with DETENT_DEBUG=1", () => {
  const cwd = folderWith(refusing)
  const unfired = JSON.stringify({ on: "script", phase: "prefix" })
  const plain = start(DECIDE, { cwd, stdin: unfired })
  expect(plain).toMatchObject({ code: 1, out: "" })
  expect(plain.err.trimEnd().split("\n")).toHaveLength(1)
  expect(start(DECIDE, { cwd, stdin: unfired, env: { DETENT_DEBUG: "1" } }).err).toMatch(/ {4}at /)
})

it("trust that cannot be recorded is an error that says why", () => {
  const cwd = folderWith(refusing)
  const { code, err } = start(["trust", "p.json"], { cwd, env: { XDG_STATE_HOME: join(cwd, "e.json") } })
  expect(code).toBe(1)
  expect(err).toMatch(/^detent: the trust could not be recorded: .*must belong to you alone/)
})
