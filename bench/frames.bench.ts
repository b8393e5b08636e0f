/** NDJSON frames, many to a write, against one write a frame: to a file, and to a pipe that another process reads. */
import { execFileSync, spawn } from "node:child_process"
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FrameWriter } from "../frames/ndjson.ts"
import { measure, table } from "./harness.ts"

const FRAMES = 5000
const frame = (index: number) => ({
  type: "hook",
  on: "call",
  phase: "before",
  hook: `h${index % 50}`,
  action: "run",
  effect: "ask",
  durationMs: 12,
  changed: false,
  refuse: { reason: `no writing in /secret${index}/` },
})
const frames = Array.from({ length: FRAMES }, (_, index) => frame(index))

const folder = mkdtempSync(join(tmpdir(), "detent-bench-"))

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

/** Frames come in bursts, as hooks answer; one turn of the event loop lies between two of them. */
const BURST = 100
const turn = () => new Promise<void>((done) => setImmediate(done))

async function inBursts(tell: (frame: object) => void): Promise<void> {
  for (let at = 0; at < FRAMES; at += BURST) {
    for (const one of frames.slice(at, at + BURST)) tell(one)
    await turn()
  }
}

async function compare(title: string, fd: number, after: () => void = () => {}): Promise<void> {
  const each = async () => {
    await inBursts((one) => writeAll(fd, `${JSON.stringify(one)}\n`))
    after()
  }
  const batched = async () => {
    const writer = new FrameWriter({ write: (text) => writeAll(fd, text), soon: setImmediate })
    await inBursts((one) => writer.frame(one))
    writer.flush()
    after()
  }
  const rows = await measure({ detent: batched, "one write a frame": each }, { rounds: 31, ms: 60 })
  console.log(table(`${FRAMES} frames to ${title}, ${BURST} a turn`, rows))
}

const file = openSync(join(folder, "frames.ndjson"), "a")
let runs = 0
// Now and then: to give a file's pages back takes as long as a good part of writing them.
await compare("a file", file, () => {
  if (++runs % 32 === 0) ftruncateSync(file)
})
closeSync(file)

const fifo = join(folder, "pipe")
execFileSync("mkfifo", [fifo])
const reader = spawn("cat", [fifo], { stdio: ["ignore", "ignore", "inherit"] })
const pipe = openSync(fifo, "w")
await compare("a pipe", pipe)

// A writer that has just been made is one after a pause: its first frame has been written when `frame` returns.
const first = await measure(
  {
    "a write": (index) => writeAll(pipe, `${JSON.stringify(frames[index % FRAMES])}\n`),
    "detent, first frame": (index) =>
      new FrameWriter({ write: (text) => writeAll(pipe, text), soon: () => {} }).frame(frames[index % FRAMES]!),
  },
  { rounds: 31, ms: 20 },
)
console.log(table("until the first frame is in the pipe", first))

closeSync(pipe)
await new Promise((done) => reader.once("close", done))
rmSync(folder, { recursive: true })
