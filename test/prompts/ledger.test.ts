import { execFile } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { Ledger, LedgerError } from "../../actions/prompt/ledger.ts"
import { tightest } from "../../policy/budget.ts"

const run = promisify(execFile)
let folder: string
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "detent-ledger-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  folder = join(root, "detent", "usage")
})

const DAY = "2030-01-05"
const ledger = (day = DAY) => new Ledger(folder, () => day)
const file = (day = DAY) => join(folder, `prompts-${day}.ndjson`)
const entry = { caller: "ann", hook: "h", calls: 1, tokens: 10, cost: 0.5 }

describe("what was used today", () => {
  it("is summed by caller, and by caller and hook", () => {
    const one = ledger()
    for (const more of [{}, { hook: "g" }, { caller: "bob" }, {}]) one.add({ ...entry, ...more })
    expect(one.used("ann")).toEqual({ calls: 3, tokens: 30, cost: 1.5 })
    expect(one.used("ann", "h")).toEqual({ calls: 2, tokens: 20, cost: 1 })
    expect(one.used("carl")).toEqual({ calls: 0, tokens: 0, cost: 0 })
  })

  it("is seen by each of two that count side by side", () => {
    const [one, two] = [ledger(), ledger()]
    for (let at = 1; at <= 5; at++) {
      one.add(entry)
      expect(two.used("ann").calls).toBe(2 * at - 1)
      two.add(entry)
      expect(one.used("ann").calls).toBe(2 * at)
    }
  })

  it("is kept for this user alone", () => {
    ledger().add(entry)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it("keeps a name that would end a line, or looks like another's", () => {
    const one = ledger()
    for (const caller of ['a"\n{"', "\u2028é", "__proto__", '["ann","h"]']) {
      one.add({ ...entry, caller })
      expect(ledger().used(caller)).toEqual({ calls: 1, tokens: 10, cost: 0.5 })
    }
    expect(ledger().used("ann").calls).toBe(0)
  })

  it("is counted as far as it can be read", () => {
    ledger().add(entry)
    const torn = ['{"caller":"ann","hook":"h","calls":1,"to', "null", "[]", "7", "", '{"caller":"ann","hook":"h"}']
    const bad = ['{"caller":"ann","hook":"h","calls":null,"tokens":0,"cost":0}', '{"calls":1,"tokens":1,"cost":1}']
    appendFileSync(file(), `${[...torn, ...bad].join("\n")}\n`)
    const one = ledger()
    one.add(entry)
    expect(one.used("ann")).toEqual({ calls: 2, tokens: 20, cost: 1 })
  })

  it("waits for the rest of a line that is still being written", () => {
    const [one, text] = [ledger(), `${JSON.stringify({ ...entry, caller: "é" })}\n`]
    one.add(entry)
    const bytes = Buffer.from(text)
    appendFileSync(file(), bytes.subarray(0, 13))
    expect(one.used("é").calls).toBe(0)
    appendFileSync(file(), bytes.subarray(13))
    expect(one.used("é").calls).toBe(1)
  })

  it("is counted from its start where the file was put back", () => {
    const one = ledger()
    for (let at = 0; at < 5; at++) one.add(entry)
    expect(one.used("ann").calls).toBe(5)
    writeFileSync(file(), `${JSON.stringify(entry)}\n`)
    expect(one.used("ann").calls).toBe(1)
  })

  it("is an error where the file cannot be read or written", () => {
    mkdirSync(file(), { recursive: true, mode: 0o700 })
    expect(() => ledger().add(entry)).toThrow(LedgerError)
    expect(() => ledger().used("ann")).toThrow(LedgerError)
  })

  it("is nothing on the next day, and the counts of a week are kept", () => {
    for (let day = 1; day <= 9; day++) {
      const one = ledger(`2030-01-0${day}`)
      expect(one.used).toBeTypeOf("function")
      one.add(entry)
      expect(one.used("ann").calls).toBe(1)
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("prompts-2030")).length).toBeLessThanOrEqual(8)
    expect(readdirSync(folder)).toContain("prompts-2030-01-09.ndjson")
    expect(readdirSync(folder)).not.toContain("prompts-2030-01-01.ndjson")
  })

  it("is never more than the limit, also where two processes count at once", { timeout: 60_000 }, async () => {
    const budgets = fileURLToPath(new URL("../../actions/prompt/budgets.ts", import.meta.url))
    const script = join(folder, "..", "..", "take.mjs")
    writeFileSync(
      script,
      `import { Budgets } from ${JSON.stringify(budgets)}
       import { Ledger } from ${JSON.stringify(budgets.replace("budgets.ts", "ledger.ts"))}
       const budgets = new Budgets(new Ledger(${JSON.stringify(folder)}))
       let taken = 0
       for (let at = 0; at < 60; at++) {
         const spender = { caller: "ann", hook: "h", run: {}, own: { day: { calls: 50 } }, all: undefined }
         if (budgets.take(spender) === undefined) taken++
         await new Promise((resolve) => setTimeout(resolve, 1))
       }
       console.log(taken)`,
    )
    const tsx = fileURLToPath(import.meta.resolve("tsx"))
    const both = await Promise.all([1, 2].map(() => run(process.execPath, ["--import", tsx, script])))
    const taken = both.map(({ stdout }) => Number(stdout))
    expect(taken[0]! + taken[1]!).toBeLessThanOrEqual(50)
    expect(taken[0]! + taken[1]!).toBeGreaterThan(40)
    const kept = readFileSync(join(folder, readdirSync(folder)[0]!), "utf8")
    expect(kept.split("\n").filter((line) => line !== "").length).toBeGreaterThanOrEqual(50)
  })
})

describe("budgets of two layers", () => {
  it.each([
    [undefined, undefined, undefined],
    [{ run: { calls: 1 } }, undefined, { run: { calls: 1 } }],
    [undefined, { day: { cost: 1 } }, { day: { cost: 1 } }],
    [{ run: { calls: 1 } }, { run: { calls: 2 } }, { run: { calls: 1 } }],
    [{ run: { calls: 2 } }, { run: { calls: 1 } }, { run: { calls: 1 } }],
    [
      { run: { calls: 2, tokens: 5 }, day: { cost: 1 } },
      { run: { calls: 3, cost: 9 }, day: { cost: 0.5 } },
      { run: { calls: 2, tokens: 5, cost: 9 }, day: { cost: 0.5 } },
    ],
  ])("combine by minimum, number by number: %j and %j", (below, above, both) => {
    expect(tightest(below, above)).toEqual(both)
    expect(tightest(above, below)).toEqual(both)
  })
})
