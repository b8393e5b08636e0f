import { isUtf8 } from "node:buffer"
import { appendFileSync } from "node:fs"
import { resolve } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { HAPPENING_TYPES, HAPPENINGS, type HappeningType } from "../../policy/happenings.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { CommandError, tellError } from "../errors.ts"
import type { Io } from "../io.ts"
import { tellObserved } from "../observed.ts"
import { policyOf } from "../policy.ts"
import { endWithHooks } from "../signals.ts"

/** Runs the observers of the policy in force on what has happened. */
export async function run(given: Call): Promise<number> {
  const call = { ...given, io: loggedIn(given) }
  try {
    return await observe(call)
  } catch (error) {
    tellError(error, call.io)
    return 1
  }
}

async function observe(call: Call): Promise<number> {
  const { io } = call
  const happenings = linesOf(io)
  const { policy } = await policyOf(call)
  let failures = 0
  const tell = tellObserved(io)
  const hooks = policy.hooks.filter((hook) => hook?.phase === "observe")
  endWithHooks()
  await withEngine(
    call,
    { ...policy, hooks },
    {
      onObserved: (frame) => {
        if (frame.type === "hook" && frame.failed) failures++
        tell(frame)
      },
    },
    async (engine) => {
      for (const { type, caller, ...about } of happenings) {
        engine.publish(type as HappeningType, about, isObject(caller) ? { caller } : {})
      }
    },
  )
  return failures === 0 ? 0 : 1
}

function linesOf(io: Io): readonly JsonObject[] {
  const bytes = io.stdin()
  if (!isUtf8(bytes)) throw new CommandError("what came on stdin is no UTF-8")
  const lines = Buffer.from(bytes).toString("utf8").split("\n")
  return lines.flatMap((line, at) => (line.trim() === "" ? [] : [happeningIn(line, at + 1)]))
}

function happeningIn(line: string, at: number): JsonObject {
  let value: unknown
  try {
    value = parseJson(line)
  } catch {
    throw new CommandError(`line ${at} is no JSON`)
  }
  const type = isObject(value) ? value.type : undefined
  if (typeof type !== "string") throw new CommandError(`line ${at} is no event: it has no \`type\``)
  if (Object.hasOwn(HAPPENINGS, type)) return value as JsonObject
  const near = nearest(type, HAPPENING_TYPES)
  throw new CommandError(`line ${at} is an event of the unknown kind \`${type}\``, near && `did you mean \`${near}\`?`)
}

/** With `--log` what would be told on stderr is appended to that file. */
function loggedIn({ given, io }: Call): Io {
  const log = given.value("log")
  if (log === undefined) return io
  const path = resolve(io.cwd, log)
  const write = (text: string): void => appendFileSync(path, text, { mode: 0o600 })
  return { ...io, err: { ...io.err, write, line: (text) => write(`${text}\n`) } }
}
