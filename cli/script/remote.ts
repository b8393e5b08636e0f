import { resolve } from "node:path"
import { LineReader } from "../../exec/lines.ts"
import type { RunResult } from "../../exec/types.ts"
import type { ErrorValue, Frame } from "../../frames/frames.ts"
import { SOURCE_PHASES } from "../../policy/policy.ts"
import { readCaller } from "../caller.ts"
import { openDaemon } from "../client.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { outputOf } from "./output.ts"
import type { Script } from "./what.ts"

/** Runs a script in the daemon, under the daemon's policy, and tells it as if it had run here. */
export async function runRemote(call: Call, script: Script): Promise<number> {
  const { io } = call
  const cancel = new AbortController()
  io.out.onClosed(() => cancel.abort())
  const stop = (): void => cancel.abort()
  process.once("SIGINT", stop).once("SIGTERM", stop)
  try {
    const response = await openDaemon(call, {
      method: "POST",
      path: "/v1/exec",
      body: bodyOf(call, script),
      headers: { accept: "application/x-ndjson", ...settingsOf(call) },
      signal: cancel.signal,
    })
    return await tell(call, response)
  } catch (cause) {
    if (cancel.signal.aborted) return CANCELLED
    throw cause
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop)
  }
}

/** The exit code of a run that a signal has ended. */
const CANCELLED = 130

/** What the daemon decides for itself, and no caller of it. */
const NOT_REMOTE: readonly string[] = Object.freeze(["policy", "cassettes"])

function bodyOf({ given, io }: Call, script: Script): object {
  const own = NOT_REMOTE.find((flag) => given.value(flag) !== undefined)
  if (own !== undefined) throw new CommandError(`\`--${own}\` cannot be said to a daemon`, "its policy is its own")
  const caller = readCaller(given.value("caller"))
  const artifacts = given.value("artifacts")
  const what = "file" in script ? { file: resolve(io.cwd, script.file) } : { code: script.code }
  const lines = Object.fromEntries(
    SOURCE_PHASES.flatMap((phase) => {
      const said = given.settings[`script.${phase}`]
      return said === undefined ? [] : [[phase, [said].flat()]]
    }),
  )
  return {
    ...what,
    args: script.args,
    cwd: io.cwd,
    script: lines,
    ...(caller ? { caller } : {}),
    ...(given.value("delivery") === "stream" ? { delivery: "stream" } : {}),
    ...(artifacts === undefined ? {} : { artifacts: resolve(io.cwd, artifacts) }),
  }
}

/** Settings of this call, as their header; the daemon says what of them it does not take. */
function settingsOf({ given }: Call): Record<string, string> {
  const said = Object.entries(given.settings).filter(([path]) => !path.startsWith("script."))
  return said.length === 0 ? {} : { "x-detent-settings": JSON.stringify(Object.fromEntries(said)) }
}

async function tell(call: Call, response: AsyncIterable<Uint8Array>): Promise<number> {
  const output = outputOf(call)
  const ended: { -readonly [K in keyof RunResult]?: RunResult[K] } = { outcome: "continue" }
  const reader = new LineReader((line) => {
    const frame = JSON.parse(line) as Frame
    if (frame.type === "result") ended.value = frame.value
    else if (frame.type === "error") ended.error = frame.error as ErrorValue
    else if (frame.type === "end") ended.exitCode = frame.exitCode
    if (ended.error?.code === "refused") ended.outcome = "refuse"
    output.frame(frame)
  })
  for await (const chunk of response) reader.push(chunk)
  reader.end()
  if (ended.exitCode === undefined) throw new CommandError("the daemon went away before the script had ended")
  output.end(ended as RunResult)
  return ended.exitCode
}
