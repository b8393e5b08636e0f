import { isObject, type JsonObject } from "../effects/json.ts"
import type { Verdict } from "../frames/frames.ts"
import { valueOfResult } from "../mcp/result.ts"
import { eventOfCall, sender } from "../mcp/servers.ts"
import { readCaller } from "./caller.ts"
import type { Call } from "./command.ts"
import { withEngine } from "./engine.ts"
import { CommandError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import { tellObserved } from "./observed.ts"
import { policyOf } from "./policy.ts"
import { terminalAsker } from "./script/ask.ts"
import { hookLine, isWorthTelling } from "./text/hook.ts"
import { fit } from "./text/wrap.ts"

/** Calls one tool of a server, with the hooks in force around it. */
export async function run(call: Call): Promise<number> {
  const { args: words, given, io } = call
  const [name = "", text] = words
  const { server, tool } = toolOf(name)
  const args = argumentsOf(text, call)
  const caller = readCaller(given.value("caller"))
  const { policy } = await policyOf(call)
  const ask = terminalAsker(io)
  const cancel = new AbortController()
  const stop = () => cancel.abort()
  const format = formatOf(call)
  return withEngine(call, policy, { ask, onObserved: tellObserved(io) }, async (engine, servers) => {
    process.once("SIGINT", stop).once("SIGTERM", stop)
    try {
      const event = await eventOfCall(servers, server, tool, args)
      const verdict = await engine.around("call", event, sender(servers, server, tool), {
        ...(caller ? { caller } : {}),
        signal: cancel.signal,
        ...(format === "ndjson" ? { onFrame: (frame) => io.out.line(JSON.stringify(frame)) } : {}),
      })
      return print(call, verdict, format)
    } finally {
      process.off("SIGINT", stop).off("SIGTERM", stop)
    }
  })
}

function toolOf(name: string): { readonly server: string; readonly tool: string } {
  const slash = name.indexOf("/")
  if (slash > 0 && slash < name.length - 1) return { server: name.slice(0, slash), tool: name.slice(slash + 1) }
  throw new CommandError(`\`${name}\` names no tool`, "write SERVER/TOOL, as in `fs/read_file`")
}

/** The arguments as JSON: on the command line, or with `-` on stdin. */
function argumentsOf(text: string | undefined, { io }: Call): JsonObject {
  if (text === undefined) return {}
  const json = text === "-" ? Buffer.from(io.stdin()).toString("utf8") : text
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch {
    // It is said below, with the same hint.
  }
  throw new CommandError(
    "the tool's arguments are no JSON object",
    'write them as \'{"path": "a.txt"}\', or `-` for stdin',
  )
}

/** Prints what came of it; frames of NDJSON have been printed as they came. The exit code is that of the `end` frame. */
function print({ io }: Call, verdict: Verdict, format: ReturnType<typeof formatOf>): number {
  const end = verdict.frames.at(-1)
  const code = end?.type === "end" ? end.exitCode : 1
  if (format === "json") io.out.line(document(verdict))
  if (format !== "text") return code
  for (const frame of verdict.frames) {
    if (frame.type === "hook" && isWorthTelling(frame)) io.err.line(fit(hookLine(frame, io.err.paint), io.err))
  }
  if (verdict.error) io.err.line(`detent: ${verdict.error.code}: ${verdict.error.message}`)
  else printValue(io, verdict.result)
  return code
}

function printValue(io: Call["io"], result: unknown): void {
  try {
    const value = valueOfResult(result)
    io.out.line(typeof value === "string" ? value : document(value))
  } catch (cause) {
    io.err.line(`detent: the tool failed: ${(cause as Error).message}`)
  }
}
