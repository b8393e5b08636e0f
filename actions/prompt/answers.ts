import { readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject } from "../../effects/json.ts"
import { type Reply, STOPS } from "../../prompts/request.ts"
import { ensurePrivateFolder, isPrivateFolder, readPrivateFile, writePrivateFile } from "../../settings/private.ts"

/** How many answers are kept in memory, and how many on disk: the oldest go first. */
const KEPT = Object.freeze({ memory: 1000, disk: 1000 })

interface Entry {
  readonly reply: Reply
  /** milliseconds since 1970 */
  readonly at: number
}

/** Answers that may be given again to the same request, in memory and in a folder that is this user's alone. */
export class Answers {
  readonly #folder: string
  readonly #now: () => number
  readonly #memory = new Map<string, Entry>()

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder
    this.#now = now
  }

  /** @param lifetimeMs how old an answer may be */
  find(key: string, lifetimeMs: number): Reply | undefined {
    const now = this.#now()
    const isYoung = (entry: Entry | undefined): entry is Entry => {
      const age = now - (entry?.at ?? Number.NaN)
      // A clock that was set back makes no answer young again.
      return age >= 0 && age < lifetimeMs
    }
    const kept = this.#memory.get(key)
    if (isYoung(kept)) return kept.reply
    // Another process may have asked since.
    const read = this.#read(key)
    return isYoung(read) ? read.reply : undefined
  }

  keep(key: string, reply: Reply): void {
    const entry: Entry = { reply, at: this.#now() }
    this.#memory.delete(key)
    this.#memory.set(key, entry)
    for (const oldest of this.#memory.keys()) {
      if (this.#memory.size <= KEPT.memory) break
      this.#memory.delete(oldest)
    }
    if (!ensurePrivateFolder(dirname(this.#folder)) || !ensurePrivateFolder(this.#folder)) return
    try {
      writePrivateFile(join(this.#folder, `${key}.json`), JSON.stringify({ key, ...entry }))
      this.#dropOldest()
    } catch {
      // A full or read-only disk costs a request the next time and nothing else.
    }
  }

  #read(key: string): Entry | undefined {
    const text = isPrivateFolder(this.#folder) ? readPrivateFile(join(this.#folder, `${key}.json`)) : undefined
    if (text === undefined) return undefined
    try {
      const entry: unknown = JSON.parse(text)
      if (!isObject(entry) || entry.key !== key || !isReply(entry.reply) || !Number.isFinite(entry.at)) return undefined
      const { reply, at } = entry as unknown as Entry
      this.#memory.set(key, { reply, at })
      return { reply, at }
    } catch {
      return undefined
    }
  }

  #dropOldest(): void {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(".json"))
    if (names.length <= KEPT.disk) return
    const aged = names.map((name) => ({ name, at: statSync(join(this.#folder, name)).mtimeMs }))
    for (const { name } of aged.sort((a, b) => b.at - a.at).slice(KEPT.disk))
      rmSync(join(this.#folder, name), { force: true })
  }
}

const isReply = (value: unknown): value is Reply =>
  isObject(value) &&
  typeof value.text === "string" &&
  (STOPS as readonly unknown[]).includes(value.stop) &&
  typeof value.inputTokens === "number" &&
  typeof value.outputTokens === "number"
