import type { Readable } from "node:stream"

/** A stream being read into memory, up to a bound; what comes after it is read and thrown away. */
export interface Collected {
  readonly open: boolean
  readonly full: boolean
  bytes(): Uint8Array
}

/**
 * @param limit bytes that are kept
 * @param changed called when more came than is kept, and when the stream has closed
 */
export function collect(stream: Readable, limit: number, changed: () => void): Collected {
  const kept: Buffer[] = []
  let length = 0
  let open = true
  stream.on("data", (bytes: Buffer) => {
    if (length < limit) kept.push(bytes.subarray(0, limit - length))
    const before = length
    length += bytes.length
    if (before <= limit && length > limit) changed()
  })
  stream.on("close", () => {
    open = false
    changed()
  })
  stream.on("error", () => {})
  return {
    get open() {
      return open
    },
    get full() {
      return length > limit
    },
    bytes: () => Buffer.concat(kept),
  }
}
