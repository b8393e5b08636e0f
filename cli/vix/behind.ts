import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FolderHook } from "../../actions/vix/folder.ts"
import type { Envelope } from "../../dialects/vix/envelope.ts"
import type { Call } from "../command.ts"

/**
 * Starts async hooks in a process of their own, which outlives this one: whoever waits for our answer must not wait for them,
 * not even for a stream that they hold. It is `hook trigger`, so that there is one way to fire a hook for its own sake.
 */
export function startBehind({ given, io }: Call, hooks: readonly FolderHook[], dir: string, envelope: Envelope): void {
  const [, program = ""] = process.argv
  const policy = given.value("policy")
  const words = [
    ...["hook", "trigger", ...hooks.map(({ id }) => id), "--dir", dir, "--event", "-", "--format", "ndjson"],
    ...(policy === undefined ? [] : ["--policy", policy]),
  ]
  const stdin = asInput(JSON.stringify(envelope))
  const child = spawn(process.execPath, [program, ...words], {
    cwd: io.cwd,
    env: io.env,
    detached: true,
    stdio: [stdin, "ignore", "ignore"],
  })
  child.on("error", (cause) => io.err.line(`detent: async hooks could not be started: ${cause.message}`))
  child.unref()
  closeSync(stdin)
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
