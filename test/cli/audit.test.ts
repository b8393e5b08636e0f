import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "libsql"
import { describe, expect, it } from "vitest"
import type { Decision } from "../../store/audit/row.ts"
import { type AuditOptions, openAudit } from "../../store/audit/store.ts"
import { decision, tamper } from "../store/records.ts"
import { detent, folderWith, lines, type Ran, type Surroundings } from "./capture.ts"

const HOOK = { type: "hook", on: "call", phase: "before", action: "rule", durationMs: 1, changed: false } as const

/** A folder with a record of so many decisions in `record`. */
async function recorded(rows: number, more: Partial<Decision> = {}, options: AuditOptions = {}): Promise<string> {
  const cwd = folderWith()
  const audit = await openAudit(join(cwd, "record"), options)
  await Promise.all(Array.from({ length: rows }, (_, at) => audit.append(decision(at + 1, more))))
  await audit.close()
  return cwd
}

const audit = (cwd: string, words: readonly string[], more: Surroundings = {}): Promise<Ran> =>
  detent(["audit", ...words, ...(words[0] === "verify" && words[1]?.endsWith(".ndjson") ? [] : FOLDER)], {
    cwd,
    ...more,
  })

const FOLDER = ["--folder", "record"]

/** Exports into a file of the folder, and puts the key beside it. */
async function exported(cwd: string, ...words: readonly string[]): Promise<string[]> {
  const { out } = await audit(cwd, ["export", ...words])
  writeFileSync(join(cwd, "e.ndjson"), out)
  writeFileSync(join(cwd, "key.pem"), (await audit(cwd, ["key"])).out)
  return out.trimEnd().split("\n")
}

const verifyExport = (cwd: string, rows: readonly string[]): Promise<Ran> => {
  writeFileSync(join(cwd, "e.ndjson"), `${rows.join("\n")}\n`)
  return audit(cwd, ["verify", "e.ndjson", "--key", "key.pem", "--format", "text"])
}

describe("audit list and show", () => {
  it("text fits a terminal, each row under its number", async () => {
    const reason = "Secrets are not written by agents; keep them in the vault, and name them by a variable"
    const cwd = await recorded(2, { outcome: "refuse", refusal: { hook: "no-secrets", reason } })
    const { out } = await audit(cwd, ["list"], { tty: true, columns: 60, env: { NO_COLOR: "1" } })
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g
    expect(out.replaceAll(time, "2026-01-31 09:30:00").split("\n").slice(0, 5)).toEqual([
      "     1  2026-01-31 09:30:00  refused   ann  fs/read_file ",
      '        {"path":"/repo/src/f1.ts"}  no-secrets: Secrets are',
      "        not written by agents; keep them in the vault, and",
      "        name them by a variable",
      "     2  2026-01-31 09:30:00  refused   ci  fs/read_file ",
    ])
  })

  it("text is the newest 50, and says so", async () => {
    const cwd = await recorded(51)
    const { out, err } = await audit(cwd, ["list", "--format", "text"])
    expect(out.trimEnd().split("\n")).toHaveLength(50)
    expect(err).toBe("detent: these are the newest 50; there are more (`--last N`, `--since TIME`)\n")
    expect((await audit(cwd, ["list", "--format", "text", "--last", "51"])).err).toBe("")
    expect(lines((await audit(cwd, ["list"])).out)).toHaveLength(51)
  })

  it("show tells what hooks did, what lowered them and where that was said", async () => {
    const cwd = await recorded(1, {
      hooks: [
        { id: "a", effect: "ask" },
        { id: "b", effect: "ask" },
      ],
      ceilings: [{ by: "daemon", id: "freeze", reason: "frozen", origin: "detent.yaml:3" }],
      hashes: { policy: "ab" },
      frames: [{ ...HOOK, hook: "a", effect: "ask", advise: [{ text: "look" }] }],
    })
    const { out } = await audit(cwd, ["show", "1", "--format", "text"])
    expect(out).toContain("  ceiling      daemon: `freeze`, frozen (detent.yaml:3)\n")
    expect(out).toContain("  hook         a [call before, rule, ask] advised: look\n")
    expect(out).toContain("  no opinion   b\n")
    expect(out).toContain("  policy hash  ab\n")
  })

  it("shows what is left of a row of which parts are redacted, and nothing that could move a cursor", async () => {
    const frames = [{ ...HOOK, hook: "a", effect: "ask" as const, advise: [{ text: "hush" }] }]
    const more = { tool: "\u001b[2J", refusal: { reason: "r" }, outcome: "refuse" as const, frames }
    const cwd = await recorded(1, more, { redact: ["caller", "refusal", "frames.*.advise"] })
    const all = await Promise.all(
      ["list", "show"].map((word) => audit(cwd, [word, ...(word === "show" ? ["1"] : []), "--format", "text"])),
    )
    for (const { code, out } of all) {
      expect(code).toBe(0)
      expect(out).toMatch(/"sha256":"[0-9a-f]{64}"/)
      expect(out).not.toContain("\u001b")
      expect(out).not.toContain("hush")
    }
  })

  it("says which times, numbers and outcomes it understands", async () => {
    const cwd = await recorded(1)
    expect((await audit(cwd, ["list", "--since", "yesterday"])).err).toContain("`yesterday` is no time for `--since`")
    expect((await audit(cwd, ["list", "--last", "-1"])).err).toContain("--last")
    expect((await audit(cwd, ["list", "--outcome", "refused"])).err).toContain("refuse")
    expect((await audit(cwd, ["show", "x"])).err).toContain("`x` is no number of a row")
    expect((await audit(cwd, ["show", "2"])).err).toContain("there is no row 2 in the record")
    expect(lines((await audit(cwd, ["list", "--since", "1h", "--until", "2999-01-01 10:00"])).out)).toHaveLength(1)
  })
})

describe("audit verify", () => {
  it("names each row that is missing, changed or cut, and answers 1", async () => {
    const cwd = await recorded(20)
    expect(await audit(cwd, ["verify", "--format", "text"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^the record holds: 20 rows, 1 to 20; 2 signatures hold of the key [0-9a-f]{16}\n$/),
    })
    tamper(join(cwd, "record"), "DELETE FROM row WHERE seq = 5 OR seq > 18", "UPDATE row SET body = 'x' WHERE seq = 7")
    const { code, out } = await audit(cwd, ["verify", "--format", "text"])
    expect(code).toBe(1)
    expect(out).toContain("missing: row 5 is missing\n")
    expect(out).toContain("changed: row 7 is not what was written: its hash does not fit it\n")
    expect(out).toContain("cut: rows 19 to 20 are missing at the end, though signed for\n")
    expect(out).toContain("the record does not hold")
  })

  it("takes a public key for a copy without its own", async () => {
    const cwd = await recorded(3)
    writeFileSync(join(cwd, "key.pem"), (await audit(cwd, ["key"])).out)
    rmSync(join(cwd, "record", "audit.key"))
    expect((await audit(cwd, ["verify"])).code).toBe(1)
    expect((await audit(cwd, ["verify", "--key", "key.pem"])).code).toBe(0)
  })

  it("tells a record that was written anew, key and all, by an earlier export", async () => {
    const cwd = await recorded(5)
    await exported(cwd)
    rmSync(join(cwd, "record"), { recursive: true })
    const forged = await openAudit(join(cwd, "record"))
    for (let at = 1; at <= 6; at++) await forged.append(decision(at, { outcome: "continue" }))
    await forged.close()
    expect((await audit(cwd, ["verify"])).code).toBe(0)
    const { code, out } = await audit(cwd, ["verify", "--against", "e.ndjson", "--format", "text"])
    expect(code).toBe(1)
    expect(out).toContain("of a key that is not known")
  })

  it("tells an older copy that was put back by an export of the newer one", async () => {
    const cwd = await recorded(5)
    const copy = readFileSync(join(cwd, "record", "audit.db"))
    const head = readFileSync(join(cwd, "record", "audit.head"))
    const more = await openAudit(join(cwd, "record"))
    await more.append(decision(6))
    await more.close()
    await exported(cwd)
    writeFileSync(join(cwd, "record", "audit.db"), copy)
    writeFileSync(join(cwd, "record", "audit.head"), head)
    expect((await audit(cwd, ["verify"])).code).toBe(0)
    const { code, out } = await audit(cwd, ["verify", "--against", "e.ndjson", "--format", "text"])
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("cut: row 6 is missing at the end") })
  })
})

describe("audit export", () => {
  it("is one row a line, and last what was signed", async () => {
    const cwd = await recorded(3, { frames: [{ ...HOOK, hook: "a", effect: "ask" }], hashes: { policy: "ab" } })
    const all = (await exported(cwd)).map((line) => JSON.parse(line))
    expect(all[0]).toMatchObject({
      seq: 1,
      caller: { id: "ann" },
      on: "call",
      tool: "read_file",
      input: { path: "/repo/src/f1.ts" },
      outcome: "continue",
      hashes: { policy: "ab" },
      frames: [{ hook: "a" }],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(all.at(-1)).toMatchObject({ checkpoint: { why: "export", first: 1, seq: 3, rows: 3 } })
  })

  it("is verified with the public key alone; what is missing, changed, moved or cut is named", async () => {
    const cwd = await recorded(1500)
    const rows = await exported(cwd, "--last", "900")
    expect((await verifyExport(cwd, rows)).out).toMatch(/^`e.ndjson` holds: 900 rows, 601 to 1500; 2 signatures hold/)
    const [first, second, third, ...rest] = rows as [string, string, string, ...string[]]
    const found = async (changed: readonly string[]) => {
      const { code, out } = await verifyExport(cwd, changed)
      return { code, first: out.split("\n")[0] }
    }
    expect(await found([first, third, ...rest])).toEqual({ code: 1, first: "missing: row 602 is missing" })
    expect(await found([second, third, ...rest])).toEqual({ code: 1, first: "missing: row 601 is missing" })
    expect(await found([first, second.replace("f602.ts", "f603.ts"), third, ...rest])).toEqual({
      code: 1,
      first: "changed: row 602 is not what was written: its hash does not fit it",
    })
    expect(await found([first, third, second, ...rest])).toMatchObject({
      code: 1,
      first: "missing: row 602 is missing",
    })
    const seal = rows.at(-1)!
    const signed = rows.filter((line) => line.startsWith('{"checkpoint"'))
    const bare = rows.filter((line) => !line.startsWith('{"checkpoint"'))
    expect(await found([...bare.slice(0, -2), ...signed])).toEqual({
      code: 1,
      first: "cut: rows 1499 to 1500 are missing at the end, though signed for",
    })
    expect(await found(rows.slice(0, -1))).toEqual({
      code: 1,
      first: "unsigned: the last line, which signs the export, is missing",
    })
    expect(await found([...bare, seal.replace('"rows":900', '"rows":899')])).toMatchObject({ code: 1 })
    expect(await found([first, "{", ...rows.slice(1)])).toEqual({
      code: 1,
      first: "damaged: line 2 is neither a row nor a signature",
    })
  })

  it("of a selection says that rows are missing from it, though not which", async () => {
    const cwd = await recorded(20)
    const rows = await exported(cwd, "--outcome", "refuse")
    expect(rows).toHaveLength(5)
    expect((await verifyExport(cwd, rows)).code).toBe(0)
    expect(await verifyExport(cwd, rows.slice(1))).toMatchObject({
      code: 1,
      out: expect.stringContaining("missing: these are not the 4 rows that were signed for"),
    })
    const changed = [rows[0]!.replace("f5.ts", "f4.ts"), ...rows.slice(1)]
    expect((await verifyExport(cwd, changed)).out).toContain("changed: row 5 is not what was written")
  })

  it("is not made of a record that does not hold, unless it is wanted anyway, and then nothing is signed", async () => {
    const cwd = await recorded(5)
    tamper(join(cwd, "record"), "DELETE FROM row WHERE seq = 3")
    const refused = await audit(cwd, ["export"])
    expect(refused).toMatchObject({ code: 1, out: "" })
    expect(refused.err).toContain("the record does not hold, and an export of it would be signed")
    const { code, out, err } = await audit(cwd, ["export", "--anyway"])
    expect({ code, err }).toEqual({ code: 0, err: "detent: the export is not signed (`--anyway`)\n" })
    expect(lines(out).map(({ seq }) => seq)).toEqual([1, 2, 4, 5])
  })

  it("needs a key to be verified, and a file that is one", async () => {
    const cwd = await recorded(2)
    await exported(cwd)
    const own = await detent(["audit", "verify", "e.ndjson"], { cwd })
    expect(own).toMatchObject({ code: 2, err: expect.stringContaining("there is no key to check the signatures with") })
    expect((await audit(cwd, ["verify", "e.ndjson", "--key", "e.ndjson"])).err).toContain(
      "`e.ndjson` holds no public key",
    )
    expect((await audit(cwd, ["verify", "gone.ndjson", "--key", "key.pem"])).err).toContain("there is no such file")
  })
})

describe("audit prune", () => {
  it("takes the oldest rows, and signs where the record begins", async () => {
    const cwd = await recorded(10)
    const { out } = await audit(cwd, ["prune", "--rows", "4", "--format", "text"])
    expect(out).toBe("6 rows are gone; the record begins with row 7 now, signed\n")
    expect((await audit(cwd, ["verify"])).code).toBe(0)
    expect((await audit(cwd, ["prune", "--before", "2000-01-01", "--format", "text"])).out).toBe("no row is to go\n")
    expect((await audit(cwd, ["prune"])).err).toContain("nothing says what is to go")
  })

  it("leaves a record that does not hold as it is, unless it is wanted anyway", async () => {
    const cwd = await recorded(10)
    tamper(join(cwd, "record"), "DELETE FROM row WHERE seq = 3")
    expect((await audit(cwd, ["prune", "--rows", "4"])).err).toContain("pruning it would take the proof away")
    expect((await audit(cwd, ["prune", "--rows", "4", "--anyway"])).code).toBe(0)
  })
})

describe("a record that cannot be read is told in one sentence", () => {
  const told = async (break_: (folder: string) => void, words: readonly string[] = ["list"]): Promise<string> => {
    const cwd = await recorded(400)
    break_(join(cwd, "record"))
    const { code, err } = await audit(cwd, words)
    expect(code).toBe(words[0] === "verify" ? 2 : 1)
    expect(err).not.toContain("a fault of our own")
    return err.replaceAll(cwd, "")
  }

  it.each<[string, (folder: string) => void, RegExp]>([
    ["nothing is there", (folder) => rmSync(join(folder, "audit.db")), /there is no store `\/record\/audit.db`/],
    ["the folder is not there", (folder) => rmSync(folder, { recursive: true }), /the folder `\/record` must be there/],
    ["others can read it", (folder) => chmodSync(join(folder, "audit.db"), 0o644), /belongs? to you alone.*chmod 600/],
    [
      "it is no database",
      (folder) => writeFileSync(join(folder, "audit.db"), "x".repeat(5000)),
      /is no store of detent/,
    ],
    ["it is empty", (folder) => truncateSync(join(folder, "audit.db")), /holds nothing/],
    [
      "it is a folder",
      (folder) => {
        rmSync(join(folder, "audit.db"))
        mkdirSync(join(folder, "audit.db"))
      },
      /must be a file/,
    ],
    ["a newer detent wrote it", (folder) => tamper(folder, "PRAGMA user_version = 9"), /was written by a newer detent/],
  ])("%s", async (_, break_, message) => {
    expect(await told(break_)).toMatch(message)
    expect(await told(break_, ["verify"])).toMatch(message)
    expect(await told(break_, ["prune", "--rows", "1"])).toMatch(message)
  })

  it("a row was changed", async () => {
    expect(await told((folder) => tamper(folder, "UPDATE row SET body = 'x' WHERE seq = 7"))).toMatch(
      /row 7 cannot be read: it was changed \(`detent audit verify`/,
    )
  })

  it("its pages are torn", async () => {
    const torn = (folder: string): void => {
      const path = join(folder, "audit.db")
      truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)
    }
    expect(await told(torn)).toMatch(/is damaged \(`detent audit verify` says where/)
    const cwd = await recorded(400)
    torn(join(cwd, "record"))
    expect(await audit(cwd, ["verify", "--format", "text"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^damaged: the file is damaged and cannot be read after row \d+/),
    })
  })

  it("another process holds it: what reads is not held up, and what writes says who is in its way", async () => {
    const cwd = await recorded(3)
    const holder = new Sqlite(join(cwd, "record", "audit.db"))
    holder.exec("BEGIN IMMEDIATE")
    expect(lines((await audit(cwd, ["list"])).out)).toHaveLength(3)
    const { code, err } = await audit(cwd, ["prune", "--rows", "1"])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/is locked by another process/) })
    holder.exec("ROLLBACK")
    holder.close()
  }, 20_000)
})
