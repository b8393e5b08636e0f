import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { commandLines, folderWith, runIt } from "./engine.ts"

const source = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

describe("the end of a script", () => {
  it("keeps what was told before process.exit in the middle", async () => {
    const code = "for (let i = 0; i < 500; i++) { console.log(i); emit(i) }\nprocess.exit(7)"
    const ran = await runIt({ code, sources: commandLines({ suffix: ["emit('suffix')"] }) })
    expect(ran.emitted).toEqual(Array.from({ length: 500 }, (_, i) => i))
    expect(ran.stdout.split("\n")).toHaveLength(501)
    expect(ran).toMatchObject({ exitCode: 7, error: { code: "exit", data: { exitCode: 7 } } })
    expect(ran.frames.at(-1)).toMatchObject({ type: "end", exitCode: 7 })
  })

  it("is a success without a value after process.exit(0)", async () => {
    const ran = await runIt({ code: "process.exit(0); return 3" })
    expect(ran.exitCode).toBe(0)
    expect(ran).not.toHaveProperty("value")
    expect(ran).not.toHaveProperty("error")
  })

  it("is a failure where the code is another than 0, whatever was returned", async () => {
    expect(await runIt({ code: "process.exitCode = 4; return 3" })).toMatchObject({
      exitCode: 4,
      error: { code: "exit" },
    })
    const late = await runIt({ code: "setTimeout(() => { throw new Error('late') }, 20); return 3" })
    expect(late).toMatchObject({ exitCode: 1, error: { code: "throw", message: "late" } })
  })

  it.each([
    ["throw 'text'", "throw", "text"],
    ["throw { message: 'object' }", "throw", "object"],
    ["throw undefined", "throw", "undefined"],
    ["throw Object.assign(new Error('own'), { code: 'E_OWN' })", "E_OWN", "own"],
    ["throw Object.assign(new Error('no'), { code: 'refused' })", "throw", "no"],
    [
      "setTimeout(() => { throw new Error('timer') }, 5); await new Promise(r => setTimeout(r, 5000))",
      "throw",
      "timer",
    ],
    ["void Promise.reject(new Error('loose')); await new Promise(r => setTimeout(r, 5000))", "throw", "loose"],
    [
      "const a = {}; a.a = a; return a",
      "throw",
      "the script's result is no JSON: Converting circular structure to JSON",
    ],
  ])("is exit code 1 after %s", async (code, error, message) => {
    const ran = await runIt({ code })
    expect(ran).toMatchObject({ exitCode: 1, error: { code: error, message } })
    expect(ran.stderr).toContain(message)
  })

  it("is exit code 13, with the suffix, where a promise is awaited that nothing settles", async () => {
    const ran = await runIt({
      code: "await new Promise(() => {})",
      sources: commandLines({ suffix: ["emit('suffix')"] }),
    })
    expect(ran).toMatchObject({ exitCode: 13, error: { code: "unsettled" }, emitted: ["suffix"] })
  })

  it("is 128 and the signal's number after a signal", async () => {
    const ran = await runIt({
      code: "process.kill(process.pid, 'SIGTERM'); await new Promise(r => setTimeout(r, 5000))",
    })
    expect(ran).toMatchObject({ exitCode: 143, error: { code: "signal", data: { signal: "SIGTERM", exitCode: 143 } } })
  })

  it("does not wait for a background process that keeps the output open", async () => {
    const code = `const { spawn } = await import("node:child_process")
      const child = spawn("sleep", ["30"], { stdio: "inherit", detached: true })
      child.unref()
      return child.pid`
    const ran = await runIt({ code })
    process.kill(ran.value as number)
    expect(ran.exitCode).toBe(0)
  })

  it("takes the whole process tree along when the run is cancelled", async () => {
    const code = `const { spawn } = await import("node:child_process")
      const pids = [false, true].map((detached) => spawn("sleep", ["60"], { detached, stdio: "ignore" }).pid)
      emit([process.pid, ...pids])
      process.on("SIGTERM", () => {})
      await new Promise((r) => setTimeout(r, 60000))`
    const abort = new AbortController()
    const ran = await runIt(
      { code },
      { signal: abort.signal, onFrame: (frame) => frame.type === "emit" && abort.abort() },
    )
    expect(ran).toMatchObject({ exitCode: 137, error: { code: "cancelled" } })
    const pids = ran.emitted[0] as number[]
    expect(pids).toHaveLength(3)
    await expect.poll(() => pids.filter(alive), { timeout: 5000 }).toEqual([])
  })

  it("runs nothing when it was cancelled before", async () => {
    const ran = await runIt({ code: "emit(1)" }, { signal: AbortSignal.abort() })
    expect(ran).toMatchObject({ exitCode: 130, error: { code: "cancelled" }, emitted: [] })
  })

  it("tells a working folder that is not there", async () => {
    const ran = await runIt({ code: "return 1", cwd: "/nowhere/at/all" })
    expect(ran.error).toMatchObject({ code: "spawn", message: expect.stringContaining("`/nowhere/at/all`") })
  })
})

describe("signals to the command", () => {
  const folder = folderWith({
    "host.mts": `import { runScript } from ${JSON.stringify(source("exec/run.ts"))}
      import { plainEngine } from ${JSON.stringify(source("test/exec/engine.ts"))}
      const { exitCode } = await runScript(plainEngine, { code: process.argv[2]!, env: process.env }, { frames: false, stdin: "ignore", signals: true })
      console.log("host saw " + exitCode)
      process.exitCode = exitCode`,
  })

  /** Runs code under a host process, sends it signals each time the output says `ready`, and gives output and code. */
  async function host(
    code: string,
    signals: readonly NodeJS.Signals[],
  ): Promise<{ output: string; code: number | null }> {
    const child = spawn(process.execPath, [
      "--import",
      source("node_modules/tsx/dist/loader.mjs"),
      `${folder}/host.mts`,
      code,
    ])
    let output = ""
    let sent = 0
    child.stdout.on("data", (chunk) => {
      output += chunk
      for (const ready = output.split("ready").length - 1; sent < ready && sent < signals.length; sent++)
        child.kill(signals[sent])
    })
    child.stderr.on("data", (chunk) => {
      output += chunk
    })
    return new Promise((done) => child.on("close", (status) => done({ output, code: status })))
  }

  const WAIT = "console.log('ready'); await new Promise((r) => setTimeout(r, 20000))"

  it("are passed on to the script, and its end is awaited", async () => {
    const code = `process.on("SIGTERM", () => setTimeout(() => { console.log("tidied"); process.exit(5) }, 100)); ${WAIT}`
    expect(await host(code, ["SIGTERM"])).toEqual({ output: "ready\ntidied\nhost saw 5\n", code: 5 })
  })

  it("end a script that does not listen", async () => {
    expect(await host(WAIT, ["SIGHUP"])).toEqual({ output: "ready\nhost saw 129\n", code: 129 })
  })

  it("kill at the second SIGINT", async () => {
    const code = `process.on("SIGINT", () => console.log("ready again")); ${WAIT}`
    expect(await host(code, ["SIGINT", "SIGINT"])).toEqual({ output: "ready\nready again\nhost saw 137\n", code: 137 })
  })
})

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
