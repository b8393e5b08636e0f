import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import type { Frame, HookFrame, Verdict } from "../../frames/frames.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { folder, isAlive } from "./hooks.ts"

const HERE = folder()
const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const source = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href)
const CALL = { server: "fs", tool: "write_file", args: { path: "a.txt" } }

const engineOf = (hooks: readonly object[]) =>
  createEngine({
    policy: parsePolicy(
      JSON.stringify({ hooks: hooks.map((hook) => ({ on: "call", phase: "before", effect: "ask", ...hook })) }),
      { file: join(HERE, "p.json") },
    ),
  })
const sh = (script: string) => ["sh", "-c", script]
const PROGRAM = `echo '{"refuse":"still here"}'`
const hookFrames = (frames: readonly Frame[]) => frames.filter((frame): frame is HookFrame => frame.type === "hook")

test.each([
  [
    "in its group, deaf to the request",
    `trap '' TERM; sh -c 'trap "" TERM; sleep 300' & echo $! > child.pid; sleep 300`,
  ],
  ["outside its group", `(setsid sh -c 'trap "" TERM; echo $$ > child.pid; sleep 300' > /dev/null 2>&1 &); sleep 300`],
  ["stopped", "sh -c 'kill -STOP $$; sleep 300' & echo $! > child.pid; sleep 300"],
])("when a call is answered, nothing of a hook that ran out of time is alive: a child %s", async (_, script) => {
  const engine = await engineOf([{ timeoutMs: 500, failure: "closed", run: sh(script) }])
  const began = performance.now()
  const verdict = await engine.fire("call", "before", CALL)
  expect(await isAlive(Number(readFileSync(join(HERE, "child.pid"), "utf8")))).toBe(false)
  expect(performance.now() - began).toBeLessThan(2500)
  expect(hookFrames(verdict.frames)[0]).toMatchObject({ failed: { kind: "timeout" } })
  expect(verdict.refusal).toMatchObject({ code: "hook_failed" })
  await engine.close()
})

test("eight guards that run out of time at once are eight records and one outcome each, and what they say late is not heard", async () => {
  const late = { timeoutMs: 300, run: sh(`sleep 0.8; echo '{"refuse":"late"}'`) }
  const eight = async (failure: "open" | "closed") => {
    const engine = await engineOf([{ ...late, failure }])
    const sent: number[] = []
    const call = (n: number): Promise<Verdict> =>
      engine.around("call", { ...CALL, args: { n } }, (input) => sent.push((input as { n: number }).n))
    const verdicts = await Promise.all(Array.from({ length: 8 }, (_, n) => call(n)))
    await engine.close()
    for (const { frames } of verdicts) {
      const [frame, ...more] = hookFrames(frames)
      expect(more).toEqual([])
      expect(frame).toMatchObject({ failed: { kind: "timeout" }, changed: false })
      expect(frame?.durationMs).toBeGreaterThanOrEqual(300)
      expect(frame?.durationMs).toBeLessThan(2300)
    }
    return { sent: sent.sort(), outcomes: new Set(verdicts.map(({ outcome }) => outcome)) }
  }
  expect(await eight("open")).toEqual({ sent: [0, 1, 2, 3, 4, 5, 6, 7], outcomes: new Set(["continue"]) })
  expect(await eight("closed")).toEqual({ sent: [], outcomes: new Set(["refuse"]) })
})

test("fifty hooks at once that do not read their two megabytes are all heard, and this process goes on", async () => {
  const engine = await engineOf([{ timeoutMs: 60_000, run: sh(`printf %s '{"refuse":"fixed answer"}'`) }])
  const event = { ...CALL, args: { text: "a".repeat(2_000_000) } }
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => engine.fire("call", "before", event)))
  expect(verdicts.map(({ refusal }) => refusal?.reason)).toEqual(Array(50).fill("fixed answer"))
  expect((await engine.fire("call", "before", CALL)).refusal?.reason).toBe("fixed answer")
  await engine.close()
}, 60_000)

test.each([
  ["before the engine was made", "early"],
  ["under the engine", "late"],
])(
  "a host whose working folder was removed %s keeps its guards",
  async (_, when) => {
    const file = join(folder(), "host.mjs")
    writeFileSync(
      file,
      `const { createEngine } = await import(${source("actions/engine.ts")})
const { parsePolicy } = await import(${source("policy/parse.ts")})
const { mkdirSync, rmdirSync } = await import("node:fs")
const gone = ${JSON.stringify(join(HERE, `gone-${when}`))}
mkdirSync(gone)
process.chdir(gone)
if (${when === "early"}) rmdirSync(gone)
const policy = parsePolicy(${JSON.stringify(JSON.stringify({ hooks: [{ on: "call", phase: "before", effect: "ask", run: sh(PROGRAM) }] }))})
const engine = await createEngine({ policy })
if (${when === "late"}) rmdirSync(gone)
const { refusal, frames } = await engine.fire("call", "before", { server: "fs", tool: "write_file" })
console.log(JSON.stringify([refusal.reason, frames[0].notes]))
await engine.close()`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, file])
    const note = `the folder \`${join(HERE, `gone-${when}`)}\` does not exist; the program ran in the system's temporary folder`
    expect(JSON.parse(stdout)).toEqual(["still here", [note]])
  },
  20_000,
)
