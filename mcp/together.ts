import type { Writable } from "node:stream"

/** A stream that gathers what is written in this turn of the event loop, and passes it on in one go. */
export function together(stream: Writable): Writable {
  if (stream.writableCorked > 0) return stream
  stream.cork()
  process.nextTick(() => stream.uncork())
  return stream
}
