import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs"

const PAUSE_MS = 2
const CHUNK = 64 * 1024

/**
 * The bytes of a file. A pipe may never give them: with a time to wait until, it is not waited for any longer.
 *
 * @param until as `Date.now` counts; absent: for ever
 */
export function contentOf(path: string, until: number | undefined): Buffer {
  if (until === undefined) return readFileSync(path)
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    return fstatSync(fd).isFIFO() ? drained(fd, until) : readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** All that a pipe gives: its end is known by nothing more after something, since before that its writer may not be there yet. */
function drained(fd: number, until: number): Buffer {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = readChunk(fd)
    if (chunk && chunk.length > 0) chunks.push(chunk)
    else if (chunk && chunks.length > 0) return Buffer.concat(chunks)
    else if (Date.now() >= until) throw Object.assign(new Error("nothing came in time"), { code: "ETIMEDOUT" })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

/** Undefined: there is a writer, and it has nothing to say at the moment. */
function readChunk(fd: number): Buffer | undefined {
  const chunk = Buffer.allocUnsafe(CHUNK)
  try {
    return chunk.subarray(0, readSync(fd, chunk, 0, CHUNK, null))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EAGAIN") return undefined
    throw cause
  }
}
