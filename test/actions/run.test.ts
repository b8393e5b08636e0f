import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createRun } from "../../actions/run/run.ts"
import { failed } from "../../frames/failures.ts"
import type { Hook } from "../../policy/policy.ts"
import { context, event, folder } from "./hooks.ts"

const HERE = Number.POSITIVE_INFINITY
const cwd = folder()
const runner = createRun({ cwd, env: process.env, spawnerAbove: HERE })
afterAll(() => runner.close())

const run = (argv: readonly string[], more: Partial<Hook> = {}, sent = event) =>
  runner.run({ kind: "run", argv }, sent, context(more))
const sh = (script: string, more: Partial<Hook> = {}, sent = event) => run(["sh", "-c", script], more, sent)
const kindOf = (result: Awaited<ReturnType<typeof run>>) => ("failed" in result ? result.failed.kind : result)

test("the event is on stdin as JSON and one object on stdout is the output", async () => {
  expect(await run(["cat"])).toEqual({ output: event })
})

test("a program that is missing is a failed start that names it", async () => {
  const missing = failed("spawn", { detail: "`./guards/not-there` was not found" })
  expect(await run(["./guards/not-there"])).toEqual({ failed: missing })
  expect(await run(["no-such-program-at-all"])).toEqual({
    failed: failed("spawn", { detail: "`no-such-program-at-all` was not found" }),
  })
  expect(await run([""])).toMatchObject({ failed: { kind: "spawn" } })
})

test("a program that is not executable is a failed start that says so", async () => {
  writeFileSync(join(cwd, "plain.sh"), "#!/bin/sh\n")
  expect(await run(["./plain.sh"])).toEqual({ failed: failed("spawn", { detail: "`./plain.sh` is not executable" }) })
  expect(await run(["/tmp"])).toEqual({ failed: failed("spawn", { detail: "`/tmp` is not executable" }) })
})

test("a script whose interpreter is missing is not said to be missing itself", async () => {
  writeFileSync(join(cwd, "odd"), "#!/no/such/interpreter\n")
  chmodSync(join(cwd, "odd"), 0o755)
  const detail = "the interpreter that `./odd` names was not found"
  expect(await run(["./odd"])).toEqual({ failed: failed("spawn", { detail }) })
})

test("an interpreter that does not find its script has failed with its exit code", async () => {
  expect(await run(["python3", "not_there.py"])).toEqual({ failed: failed("exit", { exitCode: 2 }) })
  expect(await run(["node", "not_there.mjs"])).toEqual({ failed: failed("exit", { exitCode: 1 }) })
})

test("text around the object makes the output bad", async () => {
  const result = await sh(`echo 'welcome back'; echo '{"refuse":"no"}'`)
  expect(result).toEqual({ failed: failed("bad-output") })
})

test("no start-up file of a shell is sourced", async () => {
  writeFileSync(join(cwd, ".bashrc"), "echo greeting\n")
  const own = createRun({ cwd, env: { ...process.env, HOME: cwd, BASH_ENV: join(cwd, ".bashrc"), SHLVL: "0" } })
  const result = await own.run({ kind: "run", argv: ["bash", "-c", `echo '{"refuse":"no"}'`] }, event, context())
  await own.close()
  expect(result).toEqual({ output: { refuse: "no" } })
})

test("a hook that ends without reading a small event is heard, two hundred times", async () => {
  for (let round = 0; round < 200; round++) {
    expect(await sh(`printf %s '{"refuse":"fixed answer"}'`)).toEqual({ output: { refuse: "fixed answer" } })
  }
}, 60_000)

test("a hook that ends without reading two megabytes is heard", async () => {
  const large = { ...event, args: { text: "a".repeat(2_000_000) } }
  for (let round = 0; round < 10; round++) {
    expect(await sh(`printf %s '{"refuse":"fixed answer"}'`, {}, large)).toEqual({ output: { refuse: "fixed answer" } })
  }
  const closer = `exec 0<&-; sleep 0.05; echo '{"refuse":"closed"}'`
  expect(await sh(closer, {}, large)).toEqual({ output: { refuse: "closed" } })
})

test("a large event arrives whole on stdin and does not stop the start", async () => {
  const text = "é".repeat(100_000)
  const large = { ...event, args: { text }, target: { command: text, path: "p" }, kind: "shell" }
  const script = `n=$(wc -c); echo "{\\"n\\":$n,\\"cut\\":\\"$DETENT_HOOK_CUT\\",\\"kind\\":\\"$DETENT_HOOK_KIND\\",\\"c\\":\\"$DETENT_HOOK_COMMAND\\"}"`
  expect(await sh(script, {}, large)).toEqual({
    output: {
      n: Buffer.byteLength(JSON.stringify(large)),
      cut: "DETENT_HOOK_COMMAND",
      kind: "shell",
      c: "é".repeat(2048),
    },
    notes: ["cut to 4096 bytes: DETENT_HOOK_COMMAND"],
  })
})

test("a start that the system refuses is a failed start, not silence", async () => {
  const detail = "`true` could not be started (E2BIG)"
  expect(await run(["true", "x".repeat(200_000)])).toEqual({ failed: failed("spawn", { detail }) })
  expect(await run(["true", "a\0b"])).toMatchObject({ failed: { kind: "spawn" } })
})

test("two megabytes pass through a program and come back over the limit of its output", async () => {
  const large = { ...event, args: { text: "a".repeat(2_000_000) } }
  expect(await run(["cat"], {}, large)).toMatchObject({ failed: { kind: "bad-output" } })
  const count = await sh(`echo "{\\"n\\":$(wc -c)}"`, {}, large)
  expect(count).toEqual({ output: { n: JSON.stringify(large).length } })
})

test("a program that writes without end is ended at the limit", async () => {
  expect(await sh("yes")).toEqual({ failed: failed("bad-output", { detail: "more than 1048576 bytes on stdout" }) })
})

test("characters that are cut between reads are whole in the output", async () => {
  const script =
    'const b=Buffer.from(\'{"refuse":"p → q"}\');let i=0;const t=setInterval(()=>{if(i<b.length)process.stdout.write(b.subarray(i,++i));else clearInterval(t)},2)'
  expect(await run(["node", "-e", script])).toEqual({ output: { refuse: "p → q" } })
})

test("bytes that are no UTF-8 are bad output, never replacement marks", async () => {
  expect(kindOf(await sh(`printf '{"refuse":"\\377"}'`))).toBe("bad-output")
})

test("a byte-order mark before the output is dropped, and none is written to the hook", async () => {
  expect(await sh(`printf '\\357\\273\\277{"refuse":"no"}\\r\\n'`)).toEqual({ output: { refuse: "no" } })
  expect(await sh(`printf '\\357\\273\\277'`)).toEqual({ output: undefined })
  expect(kindOf(await sh(`printf '\\357\\273\\277\\357\\273\\277{"refuse":"no"}'`))).toBe("bad-output")
  expect(await sh(`echo "{\\"first\\":\\"$(head -c 1)\\"}"`)).toEqual({ output: { first: "{" } })
})

test("white space alone and nothing at all are no opinion", async () => {
  expect(await run(["true"])).toEqual({ output: undefined })
  expect(await sh("printf ' \\r\\n\\t'")).toEqual({ output: undefined })
  expect(await sh("echo '{}'")).toEqual({ output: {} })
})

test("output that is not one object is bad output", async () => {
  const deep = `{"advise":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
  const nothing = ["\u00a0", "\ufeff\ufeff", "\u2028"]
  for (const text of ["[]", "null", "true", '"x"', "1", "{", "{} {}", "{}\n{}", '{"a":1e999}', deep, ...nothing]) {
    expect(kindOf(await sh(`printf %s '${text}'`)), text.slice(0, 20)).toBe("bad-output")
  }
})

test("a key that is written twice is bad output", async () => {
  expect(kindOf(await sh(`echo '{"refuse":"a","refuse":"b"}'`))).toBe("bad-output")
})

test("a folder that is gone is noted and the hook still refuses; the program is not blamed", async () => {
  const gone = join(cwd, "gone")
  mkdirSync(gone)
  const more = { cwd: "gone", base: cwd }
  const script = `printf '{"refuse":"still here","in":"%s"}' "$PWD"`
  expect(await sh(script, more)).toEqual({ output: { refuse: "still here", in: gone } })
  rmSync(gone, { recursive: true })
  const note = `the folder \`${gone}\` does not exist; the program ran in the system's temporary folder`
  expect(await sh(script, more)).toEqual({ output: { refuse: "still here", in: tmpdir() }, notes: [note] })
  expect(await run(["nope"], more)).toEqual({
    failed: failed("spawn", { detail: "`nope` was not found" }),
    notes: [note],
  })
})

test("a folder in which no program can run is noted too, and never blamed on the program", async () => {
  writeFileSync(join(cwd, "file"), "")
  for (const [folder, problem] of [
    ["file", `\`${join(cwd, "file")}\` is no folder`],
    ["file/below", `the folder \`${join(cwd, "file/below")}\` cannot be entered`],
    ["x".repeat(5000), "cannot be entered"],
    ["a\0b", "cannot be entered"],
  ] as const) {
    const result = await sh(`echo '{"refuse":"still here"}'`, { cwd: folder, base: cwd })
    expect(result).toEqual({ output: { refuse: "still here" }, notes: [expect.stringContaining(problem)] })
  }
})

test("a relative program starts at the folder of the policy, whatever the working folder", async () => {
  const base = folder()
  writeFileSync(join(base, "guard"), `#!/bin/sh\nprintf '{"pwd":"%s"}' "$PWD"\n`)
  chmodSync(join(base, "guard"), 0o755)
  expect(await run(["./guard"], { base, cwd: "/" })).toEqual({ output: { pwd: "/" } })
})

test("bare names are looked up on the child's own PATH", async () => {
  const bin = folder()
  writeFileSync(join(bin, "only-here"), `#!/bin/sh\necho '{"found":true}'\n`)
  chmodSync(join(bin, "only-here"), 0o755)
  expect(await run(["only-here"])).toMatchObject({ failed: { kind: "spawn" } })
  expect(await run(["only-here"], { env: { PATH: `${bin}:/usr/bin:/bin` } })).toEqual({ output: { found: true } })
})

test("a child sees the allow-list, the hook's variables and what the hook names, nothing else", async () => {
  const parent = {
    PATH: process.env.PATH,
    HOME: "/root",
    LC_ALL: "C",
    TOKEN: "t0",
    FAKE_API_KEY: "k",
    OPENAI_API_KEY: "k",
    ANTHROPIC_API_KEY: "k",
    AWS_SECRET_ACCESS_KEY: "k",
    NODE_OPTIONS: "--no-warnings",
    BASH_ENV: "/x",
    LD_PRELOAD: "",
    NODE_EXTRA_CA_CERTS: "/x",
  }
  const own = createRun({ cwd, env: parent, spawnerAbove: HERE })
  const argv = [process.execPath, "-p", "JSON.stringify(process.env)"]
  const full = {
    ...event,
    kind: "write",
    target: { path: "a.txt", url: "u", command: "c" },
    session: "s",
    agent: "a",
    cwd: "/w",
  }
  const env = { PASSED: "env:TOKEN", LITERAL: "x", ABSENT: "env:NOT_SET" }
  const result = await own.run({ kind: "run", argv }, full, context({ env }))
  await own.close()
  expect(result).toEqual({
    output: {
      PATH: process.env.PATH,
      HOME: "/root",
      LC_ALL: "C",
      SHLVL: "1",
      PASSED: "t0",
      LITERAL: "x",
      DETENT_HOOK_ID: "h",
      DETENT_HOOK_ON: "call",
      DETENT_HOOK_PHASE: "before",
      DETENT_HOOK_EFFECT: "ask",
      DETENT_HOOK_SERVER: "fs",
      DETENT_HOOK_TOOL: "write_file",
      DETENT_HOOK_KIND: "write",
      DETENT_HOOK_COMMAND: "c",
      DETENT_HOOK_PATH: "a.txt",
      DETENT_HOOK_URL: "u",
      DETENT_HOOK_SESSION: "s",
      DETENT_HOOK_AGENT: "a",
      DETENT_HOOK_CALLER: "ci",
      DETENT_HOOK_CWD: "/w",
      DETENT_HOOK_RUN: expect.stringMatching(/^[0-9a-f]{24}$/),
    },
    notes: ["`ABSENT` is left out: `NOT_SET` is not set"],
  })
})

test("a failing process is told by its exit code, and by the keys of what it printed, never by their values", async () => {
  expect(await sh(`echo '{"refuse":"secret","x":1}'; echo more >&2; exit 7`)).toEqual({
    failed: failed("exit", { exitCode: 7, ignored: ["refuse", "x"] }),
  })
  expect(await sh("echo text; exit 1")).toEqual({ failed: failed("exit", { exitCode: 1 }) })
  expect(await sh("kill -KILL $$")).toEqual({ failed: failed("signal", { signal: "SIGKILL" }) })
})

test("a grandchild that keeps stdout open does not keep the answer back", async () => {
  const file = join(cwd, "late.pid")
  const started = performance.now()
  expect(await sh(`sleep 30 & echo $! > ${file}; echo '{"advise":"done"}'`)).toEqual({ output: { advise: "done" } })
  expect(performance.now() - started).toBeLessThan(3000)
  expect(existsSync(file)).toBe(true)
  process.kill(Number(readFileSync(file, "utf8")))
})

test("stderr is kept beside the result, up to its bound", async () => {
  const argv = ["sh", "-c", "printf oops >&2; exit 2"]
  const { end } = await runner.runRaw(argv, event, context())
  expect(end).toMatchObject({ how: "exited", code: 2 })
  expect(Buffer.from((end as { stderr: Uint8Array }).stderr).toString()).toBe("oops")
  const loud = await runner.runRaw(["sh", "-c", "head -c 300000 /dev/zero >&2"], event, context())
  expect(loud.result).toEqual({ output: undefined })
  expect((loud.end as { stderr: Uint8Array }).stderr.byteLength).toBe(64 * 1024)
})
