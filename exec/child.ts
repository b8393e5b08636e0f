import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { constants } from "node:os"
import type { Readable, Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ScriptError } from "./errors.ts"
import { LineReader } from "./lines.ts"
import { type CallAnswer, IN_FD, type Message, OUT_FD, type Plan } from "./plan.ts"
import type { RunOptions } from "./types.ts"

/** A background process of the script may keep its output open: this long (ms) after the last byte it is left alone. */
const LEFT_OPEN_MS = 200

export interface ChildEnd {
  /** 128 + n for a script that signal n ended */
  readonly exitCode: number
  readonly signal?: NodeJS.Signals
}

export interface Child {
  readonly pid: number
  answer(answer: CallAnswer): void
  /** settles when the process has ended and everything that it said was told */
  readonly ended: Promise<ChildEnd>
}

export interface ChildOptions extends Pick<RunOptions, "stdin" | "frames"> {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Starts the launcher in a process group of its own, so that a signal reaches all that the script starts.
 *
 * @throws ScriptError with code `spawn` when the process cannot be started.
 */
export async function startChild(
  plan: Plan,
  options: ChildOptions,
  onMessage: (message: Message) => void,
): Promise<Child> {
  const launcher = launcherPath()
  const typescript = launcher.endsWith(".ts") || ("file" in plan.script && /\.([cm]?ts|tsx)$/.test(plan.script.file))
  const output = options.frames ? "pipe" : "inherit"
  const child = spawn(process.execPath, [...(typescript ? ["--import", tsxUrl()] : []), launcher], {
    cwd: options.cwd,
    env: { ...options.env },
    detached: process.platform !== "win32",
    stdio: [typeof options.stdin === "string" ? options.stdin : "pipe", output, output, "pipe", "pipe"],
  })
  await started(child, options.cwd)
  if (child.stdin && options.stdin instanceof Uint8Array) quiet(child.stdin).end(options.stdin)
  const input = quiet(child.stdio[IN_FD] as Writable)
  input.write(`${JSON.stringify(plan)}\n`)
  return {
    pid: child.pid!,
    answer: (answer) => void (input.writable && input.write(`${JSON.stringify(answer)}\n`)),
    ended: ended(child, onMessage),
  }
}

function started(child: ChildProcess, cwd: string): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done).once("error", (error: NodeJS.ErrnoException) => {
      const why = existsSync(cwd) ? (error.code ?? error.message) : `there is no folder \`${cwd}\``
      const message = `the script's process could not be started: ${why}`
      fail(new ScriptError({ code: "spawn", message }, 1))
    })
  })
}

async function ended(child: ChildProcess, onMessage: (message: Message) => void): Promise<ChildEnd> {
  const exit = new Promise<ChildEnd>((done) => {
    child.once("exit", (code, signal) => {
      if (signal) done({ exitCode: 128 + (constants.signals[signal] ?? 0), signal })
      else done({ exitCode: code ?? 1 })
    })
  })
  const messages = readMessages(child.stdio[OUT_FD] as Readable, onMessage)
  const outputs = [readText(child.stdout, "stdout", onMessage), readText(child.stderr, "stderr", onMessage)]
  const end = await exit
  await messages
  await Promise.all(outputs.map((output) => output.drained()))
  child.stdin?.destroy()
  ;(child.stdio[IN_FD] as Writable).destroy()
  return end
}

/** What is no JSON line of ours was written to the descriptor by the script's own hand and is left out. */
function readMessages(stream: Readable, onMessage: (message: Message) => void): Promise<void> {
  const reader = new LineReader(
    (line) => {
      const message = parse(line)
      if (message) onMessage(message)
    },
    undefined,
    Number.POSITIVE_INFINITY,
  )
  stream.on("data", (chunk: Buffer) => reader.push(chunk))
  return new Promise((done) => {
    stream.once("close", done).on("error", () => {})
  })
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

/** Raw writes to the descriptor, by programs that the script starts and by Node itself. */
function readText(stream: Readable | null, type: "stdout" | "stderr", onMessage: (message: Message) => void) {
  if (!stream) return { drained: async () => {} }
  const decoder = new StringDecoder("utf8")
  const tell = (text: string): void => {
    if (text !== "") onMessage({ type, text })
  }
  let last = 0
  let closed = false
  stream.on("data", (chunk: Buffer) => {
    last = Date.now()
    tell(decoder.write(chunk))
  })
  const close = new Promise<void>((done) => {
    stream.once("close", () => {
      closed = true
      done()
    })
  })
  const drained = async (): Promise<void> => {
    const from = Date.now()
    while (!closed) {
      const seen = last
      const left = Math.max(from, seen) + LEFT_OPEN_MS - Date.now()
      if (left > 0) await Promise.race([close, new Promise((done) => setTimeout(done, left))])
      // timers come before reads: after a busy moment of ours, what waits in the pipe is read first
      else if (await quietPoll(() => closed || last !== seen)) break
    }
    stream.destroy()
    tell(decoder.end())
  }
  return { drained }
}

/** Lets pending reads happen; true when they brought nothing. */
async function quietPoll(changed: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done))
  return !changed()
}

/** A script that reads nothing may end before its input is written. */
function quiet<T extends Writable>(stream: T): T {
  return stream.on("error", () => {})
}

/** Beside this file, as TypeScript from source and as JavaScript when built. */
function launcherPath(): string {
  const names = import.meta.url.endsWith(".ts") ? ["./launcher.ts"] : ["./launcher.js", "./exec/launcher.js"]
  const paths = names.map((name) => fileURLToPath(new URL(name, import.meta.url)))
  return paths.find((path) => existsSync(path)) ?? paths[0]!
}

const tsxUrl = (): string => pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
