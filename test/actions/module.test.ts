import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, test, vi } from "vitest"
import { createModule } from "../../actions/module/module.ts"
import { failed } from "../../frames/failures.ts"
import type { Hook } from "../../policy/policy.ts"
import { context, event, folder, isAlive, moduleFile } from "./hooks.ts"

const runner = createModule({ cwd: folder(), env: { ...process.env, FAKE_API_KEY: "k", TOKEN: "t0" } })
afterAll(() => runner.close())

const runPath = (path: string, more: Partial<Hook> = {}, sent = event, signal?: AbortSignal) =>
  runner.run({ kind: "module", path }, sent, context(more, signal))
const run = (text: string, more: Partial<Hook> = {}, name?: string) => runPath(moduleFile(text, name), more)
const timeout = { failed: failed("timeout") }

test("the default export takes the event and its return value is the output", async () => {
  expect(await run("export default (event) => ({ advise: event.args.path })")).toEqual({ output: { advise: "a.txt" } })
  expect(await run("export default async (event) => ({ same: event })")).toEqual({ output: { same: event } })
})

test("modules may be TypeScript, and may import their neighbours", async () => {
  const path = moduleFile(
    "import { word } from './word.ts'\nexport default (e: unknown): object => ({ advise: word })",
    "h.ts",
  )
  writeFileSync(join(path, "../word.ts"), "export const word: string = 'typed'")
  expect(await runPath(path)).toEqual({ output: { advise: "typed" } })
})

test("modules may be CommonJS", async () => {
  expect(await run("module.exports = () => ({ advise: 'cjs' })", {}, "h.cjs")).toEqual({ output: { advise: "cjs" } })
})

test("a relative path starts at the folder of the policy", async () => {
  const base = folder()
  mkdirSync(join(base, "hooks"))
  writeFileSync(join(base, "hooks/h.mjs"), "export default () => ({ advise: 'here' })")
  expect(await runPath("hooks/h.mjs", { base })).toEqual({ output: { advise: "here" } })
})

test("undefined is no opinion", async () => {
  expect(await run("export default () => undefined")).toEqual({ output: undefined })
  expect(await run("export default async () => {}")).toEqual({ output: undefined })
})

test("what is thrown is not told, whenever it is thrown", async () => {
  const threw = { failed: failed("throw") }
  expect(await run("export default () => { throw new Error('secret') }")).toEqual(threw)
  expect(await run("export default async () => { throw 'secret' }")).toEqual(threw)
  expect(await run("export default () => new Promise(() => setTimeout(() => { throw new Error('late') }, 5))")).toEqual(
    threw,
  )
  expect(await run("export default () => new Promise(() => { Promise.reject(new Error('lost')) })")).toEqual(threw)
})

test("a module that throws once is asked again", async () => {
  const path = moduleFile("let n = 0\nexport default () => { if (n++ === 0) throw 1; return { n } }")
  expect(await runPath(path)).toEqual({ failed: failed("throw") })
  expect(await runPath(path)).toEqual({ output: { n: 2 } })
})

test("process.exit ends the thread alone", async () => {
  const detail = "the module ended its own thread"
  const path = moduleFile("export default () => process.exit(3)")
  expect(await runPath(path)).toEqual({ failed: failed("exit", { exitCode: 3, detail }) })
  expect(await runPath(path)).toEqual({ failed: failed("exit", { exitCode: 3, detail }) })
})

test("a module without a default function, without its file or with bad syntax says which module", async () => {
  const none = moduleFile("export const x = 1")
  const detail = `the default export of \`${none}\` is no function`
  expect(await runPath(none)).toEqual({ failed: failed("bad-output", { detail }) })
  for (const path of ["x".repeat(5000), `${none}/below.mjs`, "a\0b"]) {
    expect(await runPath(path)).toMatchObject({ failed: { kind: "spawn" } })
  }
  expect(await runPath("gone.mjs")).toEqual({ failed: failed("spawn", { detail: "`gone.mjs` was not found" }) })
  const broken = moduleFile("export default (")
  expect(await runPath(broken)).toEqual({ failed: failed("throw", { detail: `\`${broken}\` could not be loaded` }) })
})

test("a module that is changed on disk is read anew", async () => {
  const path = moduleFile("export default () => ({ advise: 'old' })")
  expect(await runPath(path)).toEqual({ output: { advise: "old" } })
  writeFileSync(path, "export default () => ({ advise: 'a newer one' })")
  expect(await runPath(path)).toEqual({ output: { advise: "a newer one" } })
})

test("output that is no plain JSON object is bad output", async () => {
  const returned = [
    "() => {}",
    "Symbol('x')",
    "1n",
    "NaN",
    "'text'",
    "null",
    "true",
    "[]",
    "new Date()",
    "new Map()",
    "{ a: () => {} }",
    "{ a: new (class A {})() }",
    "{ a: [undefined] }",
    "{ a: Infinity }",
    "cycle",
    "JSON.parse('{\"__proto__\": 1}')",
    "{ get a() { throw 1 } }",
  ]
  const text = `const cycle = {}; cycle.self = cycle\nconst all = [${returned.map((value) => `() => (${value})`).join(", ")}]
export default (event) => all[event.n]()`
  const path = moduleFile(text)
  for (const [n, value] of returned.entries()) {
    expect(await runPath(path, {}, { ...event, n }), value).toMatchObject({ failed: { kind: "bad-output" } })
  }
})

test("members that are undefined are dropped", async () => {
  const result = await run("export default () => ({ a: undefined, b: { c: undefined, d: 1 } })")
  expect(result).toEqual({ output: { b: { d: 1 } } })
  expect(Object.keys((result as { output: object }).output)).toEqual(["b"])
})

test("the event is a copy", async () => {
  const sent = { ...event, args: { path: "a.txt" } }
  expect(await runPath(moduleFile("export default (e) => { e.args.path = 'x'; return e.args }"), {}, sent)).toEqual({
    output: { path: "x" },
  })
  expect(sent.args.path).toBe("a.txt")
})

test("an event with a function in it crosses without it", async () => {
  const sent = { ...event, args: { path: "a.txt", fn: () => 1 } }
  expect(await runPath(moduleFile("export default (e) => e.args"), {}, sent)).toMatchObject({
    output: { path: "a.txt" },
  })
})

test("an endless loop ends at the deadline, and the next run is served", async () => {
  const path = moduleFile("export default (e) => { if (e.loop) for (;;); return { ok: true } }")
  const started = performance.now()
  expect(await runPath(path, { timeoutMs: 300 }, { ...event, loop: true })).toEqual(timeout)
  expect(performance.now() - started).toBeLessThan(1300)
  expect(await runPath(path)).toEqual({ output: { ok: true } })
})

test("the signal tells a module that its time is over", async () => {
  const file = join(folder(), "told")
  const path = moduleFile(`import { writeFileSync } from "node:fs"
export default (e, { signal }) =>
  e.warm ? {} : new Promise(() => signal.addEventListener("abort", () => writeFileSync("${file}", "told")))`)
  await runPath(path, {}, { ...event, warm: true })
  expect(await runPath(path, { timeoutMs: 300 })).toEqual(timeout)
  expect(readFileSync(file, "utf8")).toBe("told")
})

test("a time longer than a timer can wait is long, not none", async () => {
  const text = "export default () => new Promise((done) => setTimeout(() => done({ ok: true }), 50))"
  expect(await run(text, { timeoutMs: 1e12 })).toEqual({ output: { ok: true } })
})

test("a cancelled run ends before its time", async () => {
  const controller = new AbortController()
  const path = moduleFile("export default () => new Promise(() => setInterval(() => {}, 1000))")
  const running = runPath(path, { timeoutMs: 60_000 }, event, controller.signal)
  setTimeout(() => controller.abort(), 100)
  expect(await running).toEqual(timeout)
})

test("processes that a module started end with it at the deadline", async () => {
  const file = join(folder(), "pid")
  const text = `import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
export default (e) => e.warm ? {} : new Promise(() => {
  const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" })
  writeFileSync("${file}", String(child.pid))
})`
  const path = moduleFile(text)
  await runPath(path, {}, { ...event, warm: true })
  expect(await runPath(path, { timeoutMs: 300 })).toEqual(timeout)
  expect(await isAlive(Number(readFileSync(file, "utf8")))).toBe(false)
})

test("more runs at once than threads all get their answer", async () => {
  const path = moduleFile("export default (e) => new Promise((r) => setTimeout(() => r({ n: e.n }), 20))")
  const results = await Promise.all(Array.from({ length: 12 }, (_, n) => runPath(path, {}, { ...event, n })))
  expect(results).toEqual(results.map((_, n) => ({ output: { n } })))
})

test("a run that waits for a thread keeps its own deadline, and stuck threads do not block the others", async () => {
  const path = moduleFile(
    "export default (e) => e.stuck ? new Promise(() => setInterval(() => {}, 1e6)) : { ok: true }",
  )
  const stuck = Array.from({ length: 4 }, () => runPath(path, { timeoutMs: 600 }, { ...event, stuck: true }))
  const short = runPath(path, { timeoutMs: 100 })
  const long = runPath(path, { timeoutMs: 5000 })
  expect(await short).toEqual(timeout)
  expect(await long).toEqual({ output: { ok: true } })
  expect(await Promise.all(stuck)).toEqual([timeout, timeout, timeout, timeout])
})

test("a module that runs out of memory fails alone", async () => {
  const text = "export default () => { const all = []; for (;;) all.push(new Array(10000).fill(Math.random())) }"
  const detail = "out of memory"
  expect(await run(text, { timeoutMs: 20_000 })).toEqual({ failed: failed("throw", { detail }) })
}, 30_000)

test("a module sees the allow-list of the environment and what the hook names", async () => {
  const text = "export default () => ({ all: Object.keys(process.env).sort(), own: process.env.OWN })"
  const result = await run(text, { env: { OWN: "env:TOKEN" } })
  const { all, own } = (result as { output: { all: string[]; own: string } }).output
  expect(own).toBe("t0")
  expect(all).toContain("PATH")
  expect(all).not.toContain("FAKE_API_KEY")
  expect(all).not.toContain("TOKEN")
})

test("what a module prints reaches neither of our streams, and never holds it up", async () => {
  const out = vi.spyOn(process.stdout, "write")
  const err = vi.spyOn(process.stderr, "write")
  const text = `export default async () => {
  console.log("NOISE"); console.error("NOISE")
  await new Promise((done) => process.stdout.write("NOISE".repeat(100000), done))
  return { ok: true }
}`
  expect(await run(text)).toEqual({ output: { ok: true } })
  const written = [...out.mock.calls, ...err.mock.calls].map(([chunk]) => String(chunk)).join("")
  out.mockRestore()
  err.mockRestore()
  expect(written).not.toContain("NOISE")
})
