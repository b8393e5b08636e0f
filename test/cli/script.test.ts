import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { environment, folderWith, lines, policy } from "./capture.ts"
import { BIN, start } from "./process.ts"

const exec = (words: readonly string[], files: Record<string, unknown> = {}, stdin = "") =>
  start(["exec", ...words], { cwd: folderWith(files), stdin })

const onScript = (phase: string, output: object, more: object = {}) => ({
  id: phase,
  on: "script",
  phase,
  rule: output,
  effect: "run",
  ...more,
})

describe("exec and run in text", () => {
  it("leave stdout to the script, and print the result after it", () => {
    const { code, out, err } = exec(["console.log('mine'); return { a: script.args }", "x", "y"])
    expect({ code, out, err }).toEqual({ code: 0, out: 'mine\n{"a":["x","y"]}\n', err: "" })
  })

  it("print a text as it is, and nothing where there is no result", () => {
    expect(exec(["return 'a text'"]).out).toBe("a text\n")
    expect(exec(["await 1"]).out).toBe("")
  })

  it("say what JSON cannot: a function is no result and is not emitted", () => {
    for (const code of ["return () => 1", "emit(() => 1)"]) {
      const { code: exitCode, err } = exec([code])
      expect({ exitCode, told: /is no JSON: \[Function/.test(err) }).toEqual({ exitCode: 1, told: true })
    }
  })

  it("print the result that a hook shows in place of a refusal", () => {
    const hooks = [onScript("before", { refuse: "no" }), onScript("onError", { apply: { result: "not today" } })]
    const { code, out } = exec(["return 1", "--policy", "p.json"], { "p.json": policy(hooks) })
    expect({ code, out }).toEqual({ code: 126, out: "not today\n" })
  })

  it("run a file with the arguments after it, those after `--` whatever they look like", () => {
    const cwd = folderWith({
      "s.ts": "export default (...args: string[]): number => { console.log(args.join('|')); return args.length }",
    })
    const { code, out } = start(["run", "s.ts", "a", "--autonomy-max", "run", "b", "--", "--format", "json"], { cwd })
    expect({ code, out }).toEqual({ code: 0, out: "a|b|--format|json\n4\n" })
  })

  it("give stdin to the script", () => {
    const code = "let text = ''; for await (const chunk of process.stdin) text += chunk; return text.toUpperCase()"
    expect(exec([code], {}, "hello").out).toBe("HELLO\n")
  })

  it("send logs, artifacts and what hooks say to stderr", () => {
    const files = { "p.json": policy([onScript("suffix", { advise: "well done" }, { effect: "advise" })]) }
    const code = "log.warn('careful', { a: 1 }); artifact('a.txt', 'text'); emit([1])"
    const { out, err } = exec([code, "--policy", "p.json", "--artifacts", "made"], files)
    expect(out).toBe("[1]\n")
    expect(err).toContain('[warn] careful {"a":1}\n')
    expect(err).toContain("artifact a.txt (4 bytes, text/plain) file://")
    expect(err).toContain("suffix [script suffix, rule, advise] advised: well done\n")
  })
})

describe("the exit code of a run", () => {
  it.each([
    ["the script's own", ["process.exit(7)"], 7],
    ["1 where it throws", ["throw new Error('x')"], 1],
    ["1 where it is no code", ["return ("], 1],
    ["0 where a hook recovers it", ["throw new Error('x')", "--policy", "p.json"], 0],
  ])("is %s", (_, words, code) => {
    expect(exec(words, { "p.json": policy([onScript("onError", { apply: { result: "saved" } })]) }).code).toBe(code)
  })

  it("is 126 where a hook refuses, and nothing has run", () => {
    const cwd = folderWith({ "p.json": policy([onScript("before", { refuse: "not today" })]) })
    const { code, out, err } = start(["exec", "require('fs').writeFileSync('ran', '')", "--policy", "p.json"], { cwd })
    expect({ code, out }).toEqual({ code: 126, out: "" })
    expect(err).toBe("before [script before, rule, run] refused: not today\ndetent: refused by before: not today\n")
    expect(existsSync(join(cwd, "ran"))).toBe(false)
  })

  it("is 126 where a hook asks, since nobody can be asked", () => {
    const { code, err } = exec(["return 1", "--policy", "p.json"], {
      "p.json": policy([onScript("before", { ask: "sure?" })]),
    })
    expect(code).toBe(126)
    expect(err).toContain("nobody can be asked here: sure?")
  })

  it("is 1 where the file is not there", () => {
    const { code, err } = start(["run", "gone.ts"], { cwd: folderWith() })
    expect({ code, err }).toEqual({ code: 1, err: "detent: `gone.ts` cannot be read: there is no such file\n" })
  })
})

describe("lines inside the script", () => {
  const phases = ["before", "prefix", "on-success", "suffix"]
  const flags = phases.flatMap((phase) => [`--${phase}`, `console.log('${phase}')`])

  it("run in their order, in either spelling, more than one of a phase", () => {
    const { out } = exec(["console.log('script')", ...flags, "--script-suffix", "console.log('last')"])
    expect(out).toBe("before\nprefix\nscript\non-success\nsuffix\nlast\n")
  })

  it("see the error", () => {
    const { code, out } = exec(["throw new Error('boo')", "--on-error", "console.log(result.error.message)"])
    expect({ code, out }).toEqual({ code: 1, out: "boo\n" })
  })

  it("of a policy come first, and are skipped below `run`, which stderr says; the command's own are not", () => {
    const files = { "p.json": policy([], { "script.prefix": ["console.log('policy')"] }) }
    const words = ["console.log('script')", "--policy", "p.json", "--prefix", "console.log('own')"]
    expect(exec(words, files).out).toBe("policy\nown\nscript\n")
    const lowered = exec([...words, "--hooks-autonomy", "apply"], files)
    expect(lowered.out).toBe("own\nscript\n")
    expect(lowered.err).toBe(
      "detent: skipped script.prefix from p.json:1: it needs run, and the caller's level is apply (--hooks-autonomy)\n",
    )
  })

  it("are skipped by a ceiling that matches, which is named", () => {
    const ceilings = [{ id: "freeze", if: { "==": [{ var: "caller.id" }, "ci"] }, max: "ask", reason: "change freeze" }]
    const files = { "p.json": policy([], { ceilings, "script.prefix": ["console.log('policy')"] }) }
    const words = ["console.log('script')", "--policy", "p.json"]
    expect(exec(words, files).out).toBe("policy\nscript\n")
    const { out, err } = exec([...words, "--caller", "ci"], files)
    expect(out).toBe("script\n")
    expect(err).toContain("skipped script.prefix")
    expect(err).toContain("`freeze`")
    expect(err).toContain("change freeze")
  })

  it("come from the environment, too", () => {
    const cwd = folderWith()
    const env = { DETENT_SCRIPT_SUFFIX: "console.log('from env')" }
    expect(start(["exec", "1"], { cwd, env }).out).toBe("from env\n")
  })
})

describe("a run in frames", () => {
  const code = "console.log('hi'); log.info('x'); emit(1); artifact('a.txt', 'text'); return 2"

  it("is one stream from start to end as NDJSON", () => {
    const { out, err } = exec([code, "--format", "ndjson"])
    expect(err).toBe("")
    const types = ["start", "stdout", "log", "emit", "artifact", "result", "end"]
    expect(lines(out).map(({ type }) => type)).toEqual(types)
  })

  it("has the artifacts' bytes after its end where they are asked for", () => {
    const frames = lines(exec([code, "--format", "ndjson", "--delivery", "stream"]).out)
    expect(frames.slice(-3).map(({ type }) => type)).toEqual(["end", "artifact.chunk", "artifact.end"])
    expect(Buffer.from(String(frames.at(-2)?.data), "base64").toString()).toBe("text")
  })

  it("is one document as JSON", () => {
    const told = JSON.parse(exec([code, "--format", "json"]).out) as { frames: { type: string }[] }
    expect(told).toMatchObject({ exitCode: 0, outcome: "continue", value: 2 })
    expect(told.frames.at(-1)?.type).toBe("end")
  })

  it("has the hooks of its calls in their place, and the reason of a refusal in the script's error", () => {
    const hooks = [
      { id: "gate", on: "call", phase: "before", when: { tool: "drop" }, rule: { refuse: "never" }, effect: "ask" },
    ]
    const script = `
      const said = []
      for (const tool of ["drop", "read"]) await call("db/" + tool, {}).catch((e) => said.push(e.code + ": " + e.message))
      return said`
    const { out } = exec([script, "--format", "ndjson", "--policy", "p.json"], { "p.json": policy(hooks) })
    const frames = lines(out)
    expect(frames.map(({ type }) => type)).toEqual(["start", "hook", "call", "result", "end"])
    const [refused, unreachable] = frames.at(-2)!.value as string[]
    expect(refused).toBe("refused: never")
    expect(unreachable).toBe("unavailable: the policy has no server `db`; it names none")
  })

  it("ends with its script where nobody reads", () => {
    const cwd = folderWith()
    // `head` leaves after one line; without an end to the script this test would never end.
    const endless = "for (;;) { console.log('x'); await new Promise((done) => setTimeout(done, 5)) }"
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    const shell = 'node "$1" exec "$2" --format ndjson | head -1; echo "${PIPESTATUS[0]}"'
    const ran = spawnSync("bash", ["-c", shell, "bash", BIN, endless], {
      cwd,
      env: environment(join(cwd, "home")),
      encoding: "utf8",
      timeout: 15_000,
    })
    expect(ran.signal).toBe(null)
    expect(ran.stdout.split("\n")[0]).toContain('"start"')
    expect(ran.stderr).toBe("")
  })
})
