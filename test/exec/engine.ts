import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runScript } from "../../exec/run.ts"
import type { RunOptions, RunResult, ScriptEngine, ScriptRequest } from "../../exec/types.ts"
import type { Frame } from "../../frames/frames.ts"
import type { Origin, SourcePhase } from "../../policy/policy.ts"

/** An engine without hooks: it runs the operation and tells what the real one tells. */
export const plainEngine: ScriptEngine = {
  async around(_on, event, operation, { onFrame } = {}) {
    const frames: Frame[] = []
    const frame = (one: Frame): void => {
      frames.push(one)
      onFrame?.(one)
    }
    let exitCode = 0
    const exit = (code: number): void => {
      exitCode = code
    }
    const context = { event, meta: undefined, signal: undefined, frame, exit }
    const rest = { input: event.args, advice: [], proposals: [], questions: [], frames }
    frame({ type: "start", runId: "run" })
    try {
      const result = await operation(event.args as never, context)
      frame({ type: "result", value: result })
      frame({ type: "end", exitCode, durationMs: 0 })
      return { ...rest, outcome: "continue", result }
    } catch (thrown) {
      const { code, message, data } = thrown as { code: string; message: string; data: unknown }
      const error = { code, message, data }
      frame({ type: "error", error })
      frame({ type: "end", exitCode, durationMs: 0 })
      return { ...rest, outcome: "continue", error }
    }
  },
}

export interface Ran extends RunResult {
  readonly frames: readonly Frame[]
  /** the joined text of all `stdout` frames */
  readonly stdout: string
  readonly stderr: string
  /** the values of all `emit` frames */
  readonly emitted: readonly unknown[]
}

/** Runs a script in frames mode and gathers what it told. */
export async function runIt(
  request: Omit<ScriptRequest, "env"> & { readonly env?: ScriptRequest["env"] },
  options: Partial<RunOptions> = {},
  engine: ScriptEngine = plainEngine,
): Promise<Ran> {
  const frames: Frame[] = []
  const result = await runScript(
    engine,
    { env: process.env, ...request },
    {
      frames: true,
      stdin: "ignore",
      ...options,
      onFrame: (frame) => {
        frames.push(frame)
        options.onFrame?.(frame)
      },
    },
  )
  const texts = (type: "stdout" | "stderr"): string =>
    frames.flatMap((frame) => (frame.type === type ? [frame.text] : [])).join("")
  const emitted = frames.flatMap((frame) => (frame.type === "emit" ? [frame.value] : []))
  return { ...result, frames, stdout: texts("stdout"), stderr: texts("stderr"), emitted }
}

/** A fresh folder with these files in it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "detent-exec-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const FLAGS: Origin = { layer: "flags", source: "--flag" }

/** Lines as the command line gives them. */
export const commandLines = (lines: Partial<Record<SourcePhase, string[]>>) => ({
  command: Object.fromEntries(
    Object.entries(lines).map(([phase, all]) => [phase, all.map((value) => ({ value, origin: FLAGS }))]),
  ),
})
