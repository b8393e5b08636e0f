import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Io } from "./io.ts"

/**
 * Starts a command of ours in a process of its own, which outlives this one: whoever waits for our answer must not wait for it,
 * not even for a stream that it holds.
 */
export function startBehind(io: Io, words: readonly string[], stdin: string): void {
  const [, program = ""] = process.argv
  const input = asInput(stdin)
  const child = spawn(process.execPath, [program, ...words], {
    cwd: io.cwd,
    env: io.env,
    detached: true,
    stdio: [input, "ignore", "ignore"],
  })
  child.on("error", (cause) =>
    io.err.line(`detent: \`${words.slice(0, 2).join(" ")}\` could not be started: ${cause.message}`),
  )
  child.unref()
  closeSync(input)
}

/** A file that has no name any more: the child reads it whenever it gets to it, and nothing is left behind. */
function asInput(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), "detent-event-"))
  try {
    const path = join(folder, "event.json")
    writeFileSync(path, text, { mode: 0o600 })
    return openSync(path, "r")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
