import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { folder, isAlive } from "./hooks.ts"

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const source = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href)

/** Starts a host program of its own, which imports the runners from source. */
function host(body: string): ChildProcess {
  const file = join(folder(), "host.mjs")
  writeFileSync(
    file,
    `const { createRun } = await import(${source("actions/run/run.ts")})
const { createModule } = await import(${source("actions/module/module.ts")})
const { context, event } = await import(${source("test/actions/hooks.ts")})
${body}`,
  )
  return spawn(process.execPath, ["--import", loader, file], { stdio: ["ignore", "pipe", "inherit"] })
}

async function untilPid(file: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, "utf8"))
      if (pid > 0) return pid
    } catch {}
    await wait(20)
  }
}

/** A kill that was sent takes its moment; one that was not never comes. */
async function ends(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (!(await isAlive(pid))) return true
    await wait(20)
  }
  return false
}

const runSleeper = (file: string) =>
  `runner.run({ kind: "run", argv: ["sh", "-c", "echo $$ > ${file}; sleep 300"] }, event, context({ timeoutMs: 300000 }))`

const untilHelper = `
const parent = async () => (await runner.run({ kind: "run", argv: ["sh", "-c", 'echo "{\\\\"p\\\\":$PPID}"'] }, event, context())).output.p
while ((await parent()) === process.pid) await new Promise((resolve) => setTimeout(resolve, 20))
`

test("a host that leaves takes its children with it", async () => {
  const pidFile = join(folder(), "pid")
  const child = host(`
const runner = createRun({ cwd: "/tmp", env: process.env, spawnerAbove: Infinity })
${runSleeper(pidFile)}
const { existsSync } = await import("node:fs")
setInterval(() => existsSync("${pidFile}") && process.exit(0), 20)`)
  const pid = await untilPid(pidFile)
  await once(child, "exit")
  expect(await ends(pid)).toBe(true)
}, 20_000)

test("a host that is killed takes the helper and its children with it", async () => {
  const pidFile = join(folder(), "pid")
  const child = host(`
const runner = createRun({ cwd: "/tmp", env: process.env, spawnerAbove: 0 })
${untilHelper}
${runSleeper(pidFile)}`)
  const pid = await untilPid(pidFile)
  child.kill("SIGKILL")
  expect(await ends(pid)).toBe(true)
}, 20_000)

test("neither an idle helper nor an idle thread keeps a host alive", async () => {
  const file = join(folder(), "hook.mjs")
  writeFileSync(file, "export default () => ({ advise: 'x' })")
  const child = host(`
const runner = createRun({ cwd: "/tmp", env: process.env, spawnerAbove: 0 })
${untilHelper}
const modules = createModule({ cwd: "/tmp", env: process.env })
console.log(JSON.stringify(await modules.run({ kind: "module", path: "${file}" }, event, context())))`)
  const [output] = await once(child.stdout!, "data")
  const [code] = await once(child, "exit")
  expect(String(output)).toBe('{"output":{"advise":"x"}}\n')
  expect(code).toBe(0)
}, 20_000)
