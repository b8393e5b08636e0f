import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readAudit } from "../../store/audit/store.ts"
import { privateFolder } from "./folder.ts"
import { verify } from "./records.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
/** In the folder of the packages, so that the native library is found from it. */
const PROGRAM = join(ROOT, "node_modules", ".cache", `appender-${process.pid}.mjs`)

beforeAll(() =>
  build({
    entryPoints: [join(ROOT, "test", "store", "appender.ts")],
    outfile: PROGRAM,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  }),
)
afterAll(() => rmSync(PROGRAM, { force: true }))

/** Appends until it is killed, so many milliseconds after its first row; answers what it was told is written. */
async function killedAfter(folder: string, name: string, ms: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, [PROGRAM, folder, name], { stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (text === "") setTimeout(() => child.kill("SIGKILL"), ms)
    text += chunk
  })
  await new Promise((resolve) => child.once("close", resolve))
  // The last line may have been cut by the kill: it was told to nobody.
  const lines = text.split("\n").slice(0, -1)
  return new Map(lines.map((line) => line.split(" ")).map(([seq, hash]) => [Number(seq), hash!]))
}

async function hashes(folder: string): Promise<Map<number, string>> {
  const audit = await readAudit(folder)
  const all = new Map<number, string>()
  for await (const { seq, hash } of audit.rows()) all.set(seq, hash)
  await audit.close()
  return all
}

it("whenever two writers are killed, no row that was acknowledged is lost, and the chain holds", {
  timeout: 120_000,
}, async () => {
  const folder = privateFolder()
  const acknowledged = new Map<number, string>()
  for (let round = 0; round < 15; round++) {
    const moments = [Math.random() * 40, Math.random() * 40]
    const told = await Promise.all(moments.map((ms, at) => killedAfter(folder, `${round}.${at}`, ms)))
    for (const rows of told) for (const [seq, hash] of rows) acknowledged.set(seq, hash)
    const kept = await hashes(folder)
    for (const [seq, hash] of acknowledged) expect(kept.get(seq), `row ${seq}, killed after ${moments} ms`).toBe(hash)
    expect((await verify(folder)).findings, `killed after ${moments} ms`).toEqual([])
  }
  expect(acknowledged.size).toBeGreaterThan(30)
})
