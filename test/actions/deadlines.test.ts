import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, describe, expect, test } from "vitest"
import { createRun, type RunRunner } from "../../actions/run/run.ts"
import { failed } from "../../frames/failures.ts"
import { context, event, folder, isAlive } from "./hooks.ts"

const timeout = { failed: failed("timeout") }

/** The parent of a hook's process, as the hook itself sees it. */
async function parentOfHook(runner: RunRunner): Promise<number> {
  const argv = ["sh", "-c", `echo "{\\"parent\\":$PPID}"`]
  const result = await runner.run({ kind: "run", argv }, event, context())
  return (result as { output: { parent: number } }).output.parent
}

async function helperOf(runner: RunRunner): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const parent = await parentOfHook(runner)
    if (parent !== process.pid) return parent
    await wait(20)
  }
  throw new Error("the helper did not come")
}

/** The pid that a hook wrote into a file, once it is there. */
async function pidIn(file: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, "utf8"))
      if (pid > 0) return pid
    } catch {}
    await wait(10)
  }
}

const ways = [
  ["in this process", Number.POSITIVE_INFINITY],
  ["through the helper", 0],
] as const

describe.each(ways)("%s", (_, spawnerAbove) => {
  const runner = createRun({ cwd: folder(), env: process.env, spawnerAbove })
  afterAll(() => runner.close())
  const sh = (script: string, timeoutMs: number, signal?: AbortSignal) =>
    runner.run({ kind: "run", argv: ["sh", "-c", script] }, event, context({ timeoutMs }, signal))

  test("hooks are started from where they should be", async () => {
    const parent = spawnerAbove === 0 ? await helperOf(runner) : await parentOfHook(runner)
    expect(parent === process.pid).toBe(spawnerAbove > 0)
  })

  test("at the deadline the whole group ends, also what ignores the request", async () => {
    const file = join(folder(), "child.pid")
    const script = `trap '' TERM; sh -c 'trap "" TERM; sleep 300' & echo $! > ${file}; sleep 300`
    const started = performance.now()
    expect(await sh(script, 500)).toEqual(timeout)
    expect(performance.now() - started).toBeLessThan(1500)
    expect(await isAlive(await pidIn(file))).toBe(false)
  })

  test("a grandchild that left the group and lost its parent ends as well", async () => {
    const file = join(folder(), "child.pid")
    const script = `(setsid sh -c 'trap "" TERM; echo $$ > ${file}; sleep 300' > /dev/null 2>&1 &); sleep 300`
    expect(await sh(script, 500)).toEqual(timeout)
    expect(await isAlive(await pidIn(file))).toBe(false)
  })

  test("a grandchild that left the group and cleared its environment ends while its parent lives", async () => {
    const file = join(folder(), "child.pid")
    const script = `setsid env -i PATH=$PATH sh -c 'trap "" TERM; echo $$ > ${file}; sleep 300' & sleep 300`
    expect(await sh(script, 500)).toEqual(timeout)
    expect(await isAlive(await pidIn(file))).toBe(false)
  })

  test("a process that ends when it is asked to has its time to do so", async () => {
    const file = join(folder(), "bye")
    expect(await sh(`trap 'echo bye > ${file}; exit 0' TERM; while :; do sleep 0.01; done`, 300)).toEqual(timeout)
    expect(readFileSync(file, "utf8")).toBe("bye\n")
  })

  test("what comes after the deadline is not heard", async () => {
    const late = `trap 'echo "{}"; exit 0' TERM; sleep 1 & wait; echo '{"refuse":"late"}'`
    expect(await sh(late, 200)).toEqual(timeout)
  })

  test("eight hooks at once each have their own time", async () => {
    const runs = Array.from({ length: 8 }, (_item, index) =>
      index % 2 === 0 ? sh("sleep 300", 400) : sh(`sleep 0.1; echo '{"n":${index}}'`, 5000),
    )
    const results = await Promise.all(runs)
    expect(results).toEqual(results.map((_item, index) => (index % 2 === 0 ? timeout : { output: { n: index } })))
  })

  test("a time longer than a timer can wait is long, not none", async () => {
    expect(await sh("sleep 0.05; echo '{}'", 1e12)).toEqual({ output: {} })
  })

  test("a cancelled run ends with all its processes before its time", async () => {
    const file = join(folder(), "child.pid")
    const controller = new AbortController()
    const running = sh(`sleep 300 & echo $! > ${file}; wait`, 60_000, controller.signal)
    const pid = await pidIn(file)
    controller.abort()
    expect(await running).toEqual(timeout)
    expect(await isAlive(pid)).toBe(false)
    expect(await sh("echo '{}'", 1000, controller.signal)).toEqual(timeout)
  })

  test("closing ends what runs", async () => {
    const own = createRun({ cwd: folder(), env: process.env, spawnerAbove })
    if (spawnerAbove === 0) await helperOf(own)
    const file = join(folder(), "child.pid")
    const argv = ["sh", "-c", `echo $$ > ${file}; sleep 300`]
    const running = own.run({ kind: "run", argv }, event, context())
    const pid = await pidIn(file)
    await own.close()
    expect(await running).toEqual(timeout)
    expect(await isAlive(pid)).toBe(false)
  })
})

describe("the helper", () => {
  test("hands over large events, output in any encoding, notes and failures unchanged", async () => {
    const runner = createRun({ cwd: folder(), env: process.env, spawnerAbove: 0 })
    await helperOf(runner)
    const run = (argv: string[], sent = event) => runner.run({ kind: "run", argv }, sent, context())
    const large = { ...event, args: { text: "→".repeat(700_000) } }
    expect(await run(["sh", "-c", `echo "{\\"n\\":$(wc -c)}"`], large)).toEqual({
      output: { n: Buffer.byteLength(JSON.stringify(large)) },
    })
    expect(await run(["sh", "-c", `printf %s '{"refuse":"p → q"}'`], large)).toEqual({ output: { refuse: "p → q" } })
    expect(await run(["sh", "-c", "exit 3"])).toEqual({ failed: failed("exit", { exitCode: 3 }) })
    expect(await run(["true", "x".repeat(200_000)])).toMatchObject({ failed: { kind: "spawn" } })
    await runner.close()
  })

  test("that is killed fails the runs under way, leaves none of their processes, and is started again", async () => {
    const runner = createRun({ cwd: folder(), env: process.env, spawnerAbove: 0 })
    const helper = await helperOf(runner)
    const file = join(folder(), "child.pid")
    const script = `(setsid sh -c 'echo $$ > ${file}; sleep 300' > /dev/null 2>&1 &); sleep 300`
    const running = runner.run({ kind: "run", argv: ["sh", "-c", script] }, event, context())
    const pid = await pidIn(file)
    process.kill(helper, "SIGKILL")
    const detail = "the process that started `sh` has ended"
    expect(await running).toEqual({ failed: failed("spawn", { detail }) })
    expect(await isAlive(pid)).toBe(false)
    expect(await helperOf(runner)).not.toBe(helper)
    await runner.close()
  })

  test("ends with its children when the closing process lets go of it", async () => {
    const runner = createRun({ cwd: folder(), env: process.env, spawnerAbove: 0 })
    const helper = await helperOf(runner)
    await runner.close()
    expect(await isAlive(helper)).toBe(false)
  })
})
