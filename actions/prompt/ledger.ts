import { appendFileSync, closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject } from "../../effects/json.ts"
import { ensurePrivateFolder } from "../../settings/private.ts"
import { Tally, type Used } from "./tally.ts"

/** Days of which the counts are kept. */
const KEPT = 7

/** One line of a day's file. */
interface Entry extends Used {
  readonly caller: string
  readonly hook: string
}

/** A line without one of its numbers would make a sum that reaches no limit. */
const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  typeof value.caller === "string" &&
  typeof value.hook === "string" &&
  [value.calls, value.tokens, value.cost].every((number) => Number.isFinite(number))

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "unknown"

/** What says that nothing was added yet. Whether it can be is seen when it is. */
const NOT_THERE: readonly string[] = ["ENOENT", "ENOTDIR"]

/** A day's counts cannot be kept or read. */
export class LedgerError extends Error {
  override readonly name = "LedgerError"
}

/**
 * What was used today, by all processes of this user: a file a day, to which each adds lines. An entry is added first and
 * counted then, so that of two processes at the limit one sees the other.
 */
export class Ledger {
  readonly #folder: string
  readonly #today: () => string
  readonly #tally = new Tally()
  #day = ""
  #read = 0
  #rest = ""

  /** @param today the day as YYYY-MM-DD; by default that of UTC */
  constructor(folder: string, today: () => string = () => new Date().toISOString().slice(0, 10)) {
    this.#folder = folder
    this.#today = today
  }

  /** @throws LedgerError where nothing can be kept in a folder that is this user's alone. */
  add(entry: Entry): void {
    if (!ensurePrivateFolder(dirname(this.#folder)) || !ensurePrivateFolder(this.#folder))
      throw new LedgerError(`\`${this.#folder}\` is not a folder of yours alone`)
    try {
      appendFileSync(this.#file(), `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch (cause) {
      throw new LedgerError(codeOf(cause))
    }
  }

  /**
   * What a caller has used today, by one hook or by all.
   *
   * @throws LedgerError where today's file cannot be read.
   */
  used(caller: string, hook?: string): Used {
    this.#catchUp()
    return this.#tally.used(caller, hook)
  }

  #file(): string {
    const day = this.#today()
    if (day !== this.#day) {
      this.#day = day
      this.#startAnew()
      this.#dropOld()
    }
    return join(this.#folder, `prompts-${day}.ndjson`)
  }

  /** Reads what was added since. */
  #catchUp(): void {
    const file = this.#file()
    let added: Buffer
    try {
      added = this.#added(file)
    } catch (cause) {
      if (NOT_THERE.includes(codeOf(cause))) return
      throw new LedgerError(codeOf(cause))
    }
    this.#rest += added.toString("latin1")
    const lines = this.#rest.split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) this.#count(line)
  }

  #added(file: string): Buffer {
    const handle = openSync(file, "r")
    try {
      const { size } = fstatSync(handle)
      // A file that was put in the place of the one before is counted from its start.
      if (size < this.#read) this.#startAnew()
      const buffer = Buffer.alloc(size - this.#read)
      const count = readSync(handle, buffer, 0, buffer.length, this.#read)
      this.#read += count
      return buffer.subarray(0, count)
    } finally {
      closeSync(handle)
    }
  }

  #startAnew(): void {
    this.#read = 0
    this.#rest = ""
    this.#tally.clear()
  }

  #count(line: string): void {
    let entry: unknown
    try {
      entry = JSON.parse(Buffer.from(line, "latin1").toString("utf8"))
    } catch {
      // A line that a full disk cut off counts nothing that is known.
    }
    if (isEntry(entry)) this.#tally.add(entry.caller, entry.hook, entry)
  }

  #dropOld(): void {
    try {
      const days = readdirSync(this.#folder).filter((name) => /^prompts-\d{4}-\d\d-\d\d\.ndjson$/.test(name))
      for (const name of days.sort().slice(0, -KEPT)) rmSync(join(this.#folder, name), { force: true })
    } catch {
      // There is no folder yet.
    }
  }
}
