import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { openAudit, readAudit } from "../../store/audit/store.ts"
import { privateFolder } from "./folder.ts"
import { decision, verify } from "./records.ts"

const APPENDER = fileURLToPath(new URL("appender.ts", import.meta.url))

interface Appender {
  readonly child: ChildProcess
  /** what it was told is written: hash by seq */
  readonly acknowledged: Map<number, string>
  readonly closed: Promise<void>
}

function appender(folder: string, name: string, many?: number): Appender {
  const words = ["--import", "tsx", APPENDER, folder, name, ...(many === undefined ? [] : [String(many)])]
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  const acknowledged = new Map<number, string>()
  let rest = ""
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const [seq, hash] = line.split(" ")
      acknowledged.set(Number(seq), hash!)
    }
  })
  return { child, acknowledged, closed: new Promise((resolve) => child.on("close", () => resolve())) }
}

async function hashes(folder: string): Promise<Map<number, string>> {
  const audit = await readAudit(folder)
  const all = new Map<number, string>()
  for await (const { seq, hash } of audit.rows()) all.set(seq, hash)
  await audit.close()
  return all
}

it("what was acknowledged survives kill -9 at any moment, and the chain goes on", { timeout: 120_000 }, async () => {
  const folder = privateFolder()
  for (let round = 0; round < 12; round++) {
    const { child, acknowledged, closed } = appender(folder, `round-${round}`)
    const enough = 1 + round * 97
    await new Promise<void>((resolve) => {
      child.stdout!.on("data", () => {
        if (acknowledged.size >= enough) resolve()
      })
    })
    child.kill("SIGKILL")
    await closed
    const kept = await hashes(folder)
    for (const [seq, hash] of acknowledged) expect(kept.get(seq), `row ${seq} of round ${round}`).toBe(hash)
  }
  expect(await verify(folder)).toMatchObject({ ok: true, first: 1 })
})

it("two processes that write one record write one chain, and a third reads it meanwhile", {
  timeout: 60_000,
}, async () => {
  const folder = privateFolder()
  const both = [appender(folder, "one", 400), appender(folder, "two", 400)]
  const done = Promise.all(both.map(({ closed }) => closed))
  let ended = false
  done.then(() => {
    ended = true
  })
  while (!ended) {
    if (existsSync(join(folder, "audit.head"))) expect((await verify(folder)).findings).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(both.map(({ acknowledged }) => acknowledged.size)).toEqual([400, 400])
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 800, last: 800 })
})

it("half a page in the log, as a kill leaves it, loses nothing that was acknowledged", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  appendFileSync(join(folder, "audit.db-wal"), Buffer.alloc(2000, 7))
  const again = await openAudit(folder)
  await again.append(decision(2))
  await Promise.all([audit.close(), again.close()])
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 2 })
})
