import type { Frame } from "../frames/frames.ts"

/** Bytes of one NDJSON line, its newline included. Writer and reader share it. */
export const LINE_LIMIT = 1024 * 1024

/** JSON writes a UTF-16 unit in six bytes at most (`\u0000`), so a text of this length fits its line whatever it holds. */
const TEXT_UNITS = Math.floor((LINE_LIMIT - 1024) / 6)

/** Cuts a text between characters, never inside a surrogate pair. Joined, the pieces are the text. */
export function cutText(text: string, units: number = TEXT_UNITS): string[] {
  if (text.length <= units) return [text]
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + units, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff && end - start > 1) end--
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Whether the value's frame would fit its line. */
export const fitsLine = (value: unknown): boolean => {
  if (typeof value === "string" && value.length <= TEXT_UNITS) return true
  const json = JSON.stringify(value) ?? ""
  return json.length <= TEXT_UNITS || new TextEncoder().encode(json).length <= LINE_LIMIT - 1024
}

/**
 * A frame as frames that fit their lines: `stdout`, `stderr`, and the texts of `emit` and `log` are cut between
 * characters. An argument of `log` that is no text is cut as its JSON. Other frames come back as they are.
 */
export function cutFrame(frame: Frame): readonly Frame[] {
  switch (frame.type) {
    case "stdout":
    case "stderr":
      return frame.text.length <= TEXT_UNITS ? [frame] : cutText(frame.text).map((text) => ({ ...frame, text }))
    case "emit":
      if (typeof frame.value !== "string" || frame.value.length <= TEXT_UNITS) return [frame]
      return cutText(frame.value).map((value) => ({ ...frame, value }))
    case "log":
      if (fitsLine(frame.args)) return [frame]
      return frame.args.flatMap((arg) => {
        if (typeof arg !== "string" && fitsLine(arg)) return [{ ...frame, args: [arg] }]
        return cutText(typeof arg === "string" ? arg : JSON.stringify(arg)).map((text) => ({ ...frame, args: [text] }))
      })
    default:
      return [frame]
  }
}

/**
 * Puts chunks together to lines. A line over `limit` bytes is skipped up to its newline with one `onTooLong`, and the
 * next one is read well. Empty lines are left out.
 */
export class LineReader {
  readonly #onLine: (line: string) => void
  readonly #onTooLong: () => void
  readonly #limit: number
  #parts: Uint8Array[] = []
  #length = 0

  constructor(onLine: (line: string) => void, onTooLong: () => void = () => {}, limit: number = LINE_LIMIT) {
    this.#onLine = onLine
    this.#onTooLong = onTooLong
    this.#limit = limit
  }

  push(chunk: Uint8Array): void {
    let start = 0
    while (start < chunk.length) {
      const newline = chunk.indexOf(0x0a, start)
      const end = newline < 0 ? chunk.length : newline
      this.#add(chunk.subarray(start, end))
      if (newline < 0) return
      this.end()
      start = newline + 1
    }
  }

  /** Ends the line that is open, as its newline would. */
  end(): void {
    const parts = this.#parts
    const length = this.#length
    this.#parts = []
    this.#length = 0
    if (length === 0) return
    if (length >= this.#limit) {
      this.#onTooLong()
      return
    }
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    this.#onLine(new TextDecoder().decode(line))
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#length >= this.#limit) this.#parts = []
    else this.#parts.push(part)
  }
}
