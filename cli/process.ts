import { fstatSync, readSync, writeSync } from "node:fs"
import { isatty } from "node:tty"
import { removedFolder } from "../settings/folders.ts"
import { CommandError } from "./errors.ts"
import type { Io, Out } from "./io.ts"
import { painter } from "./text/colour.ts"

/**
 * The process's own streams, by their numbers: `process.stdout` and `process.stdin` take longer to set up than a
 * decision takes.
 */
export function processIo(): Io {
  const { env } = process
  const err = outOf(2, env)
  return {
    out: outOf(1, env),
    err,
    stdin: () => readAll(0),
    get stdinTty() {
      return isTerminal(0)
    },
    env,
    cwd: standingFolder(err),
  }
}

/** An agent's folder may be removed while the agent goes on: its policies and guards must not go with it. */
function standingFolder(err: Out): string {
  try {
    return process.cwd()
  } catch {
    const gone = removedFolder()
    // Whoever else asks this process for its folder would throw.
    process.chdir("/")
    err.line(`detent: the working folder \`${gone}\` is gone; policies are looked for above it`)
    return gone
  }
}

/** How long (ms) to wait where a stream that does not block is full, or empty. */
const PAUSE_MS = 2

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)

function outOf(fd: 1 | 2, env: NodeJS.ProcessEnv): Out {
  let closed = false
  const listeners: (() => void)[] = []
  const write = (text: string): void => {
    if (closed || writeAll(fd, Buffer.from(text))) return
    closed = true
    for (const listener of listeners) listener()
  }
  let tty: boolean | undefined
  return {
    write,
    line: (text) => write(`${text}\n`),
    get tty() {
      tty ??= isTerminal(fd)
      return tty
    },
    get columns() {
      return widthOf(this.tty, fd, env)
    },
    get paint() {
      return painter(this.tty, env)
    },
    get closed() {
      return closed
    },
    onClosed: (fn) => void listeners.push(fn),
  }
}

/** False: nobody reads any more. */
function writeAll(fd: number, bytes: Buffer): boolean {
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // What cannot be told on stderr can be told nowhere; the exit code still says what it came to.
      if (code === "EPIPE" || (code !== "EAGAIN" && fd === 2)) return false
      if (code !== "EAGAIN") throw new CommandError(`stdout cannot be written: ${code ?? String(error)}`)
      pause()
    }
  }
  return true
}

const CHUNK = 64 * 1024

function readAll(fd: number): Uint8Array {
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK)
    try {
      const read = readSync(fd, chunk, 0, CHUNK, null)
      if (read === 0) break
      chunks.push(chunk.subarray(0, read))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === "EOF") break
      if (code !== "EAGAIN") throw error
      pause()
    }
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** A terminal is a character device, and so is /dev/null: only then is the module that can tell worth its loading. */
function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd)
  } catch {
    return false
  }
}

/** Where nobody looks, lines may be long; no line of prose is longer than what is pleasant to read. */
const WIDTH = { elsewhere: 100, most: 120, least: 40 } as const

function widthOf(tty: boolean, fd: 1 | 2, env: NodeJS.ProcessEnv): number {
  const said = Number(env.COLUMNS)
  const own = tty ? (fd === 1 ? process.stdout : process.stderr).columns : undefined
  const width = own || (Number.isInteger(said) && said > 0 ? said : WIDTH.elsewhere)
  return Math.max(WIDTH.least, Math.min(WIDTH.most, width))
}
