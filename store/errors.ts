/** Something could not be remembered, or read back: one sentence, and how to mend it. */
export class StoreError extends Error {
  override readonly name = "StoreError"
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.hint = hint
  }
}

/** What SQLite says, by the start of its code: what it means here, and what mends it. */
const MEANINGS: Readonly<Record<string, readonly [message: string, hint: string]>> = Object.freeze({
  SQLITE_BUSY: ["is locked by another process", "end the process that holds it, or try again"],
  SQLITE_LOCKED: ["is locked by another process", "end the process that holds it, or try again"],
  SQLITE_FULL: ["cannot grow: the disk is full", "make room, or prune the record with `detent audit prune`"],
  SQLITE_READONLY: ["may not be written", "its folder, its file and what SQLite puts beside it must be yours to write"],
  SQLITE_CANTOPEN: ["cannot be opened", "its folder must be there, and yours to write"],
  SQLITE_NOTADB: ["is no store of detent", "move it away to begin a new one, or name another folder"],
  SQLITE_CORRUPT: ["is damaged", "`detent audit verify` says where; restore it, or move it away to begin a new one"],
  SQLITE_IOERR: ["could not be read or written", "the disk failed, or is full; see the system's log"],
})

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | null)?.code ?? "")

export const isBusy = (cause: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(cause))

export const isDamage = (cause: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(cause))

/** An error of SQLite's as one that names the file and says what to do; any other stays as it is. */
export function storeError(path: string, cause: unknown): unknown {
  if (cause instanceof StoreError) return cause
  const code = codeOf(cause)
  const known = Object.keys(MEANINGS).find((start) => code.startsWith(start))
  if (known) return new StoreError(`\`${path}\` ${MEANINGS[known]![0]}`, MEANINGS[known]![1], cause)
  // What the opening itself fails with has no code: only SQLite's number, at the end of its text.
  if (/ConnectionFailed/.test(String(cause))) {
    return new StoreError(`\`${path}\` cannot be opened`, MEANINGS.SQLITE_CANTOPEN![1], cause)
  }
  return code.startsWith("SQLITE_")
    ? new StoreError(`\`${path}\` failed: ${(cause as Error).message}`, code, cause)
    : cause
}
