import { spawnSync } from "node:child_process"
import { DIALECTS } from "../../dialects/dialects.ts"
import type { Ended, Heard } from "../../dialects/heard/heard.ts"
import { HEARS } from "../../dialects/heard/index.ts"
import { payloadOf } from "../../dialects/heard/payload.ts"
import { hearVix } from "../../dialects/heard/vix.ts"
import { envelopeOf } from "../../dialects/vix/envelope.ts"
import { isVixEvent, VIX_EVENT_NAMES } from "../../dialects/vix/events.ts"
import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import type { Io } from "../io.ts"
import { projectFolder } from "../setup/file.ts"

/** Bytes that a command may print on one of its streams. */
const LONGEST = 16 * 1024 * 1024

/** A host's commands: what they are given, and how their end is read. */
interface Speaker {
  payload(event: JsonObject): JsonObject
  hear(event: JsonObject, ended: Ended): Heard
}

/**
 * Runs a command that was written as a hook of another host: our event becomes the host's, and what the command says
 * becomes an output of ours. It stands in the `run` of an imported hook, which ends it in time.
 */
export async function run({ args, given, io }: Call): Promise<number> {
  const [agent = "", ...argv] = args
  const name = given.value("event")
  if (name === undefined) throw new CommandError("hook run needs --event NAME")
  if (argv.length === 0) throw new CommandError("hook run needs a command", "after `--`")
  const speaker = speakerOf(agent, name)
  const event = eventIn(io)
  const ended = ran(argv, speaker.payload({ ...event, cwd: event.cwd ?? io.cwd }), io)
  const heard = speaker.hear(event, ended)
  if ("failed" in heard) throw new CommandError(`\`${argv.join(" ")}\` counts for nothing: ${heard.failed}`)
  if (Object.keys(heard.output).length > 0) io.out.line(JSON.stringify(heard.output))
  return 0
}

function speakerOf(agent: string, name: string): Speaker {
  if (agent === "vix") {
    if (!isVixEvent(name)) throw unknownEvent(name, VIX_EVENT_NAMES)
    return { payload: (event) => envelopeOf(name, event), hear: (_, ended) => hearVix(name, ended) }
  }
  const dialect = Object.hasOwn(DIALECTS, agent) ? DIALECTS[agent]! : undefined
  const hear = HEARS[agent]
  if (!dialect || !hear) {
    throw new CommandError(
      `hook run knows no commands of \`${agent}\``,
      `known are ${Object.keys(HEARS).join(", ")}, vix`,
    )
  }
  const row = Object.hasOwn(dialect.moments, name) ? dialect.moments[name] : undefined
  if (!row) throw unknownEvent(name, Object.keys(dialect.moments))
  return {
    payload: (event) => payloadOf(dialect, name, row, event),
    hear: (event, ended) => hear({ name, row, event }, ended),
  }
}

function unknownEvent(name: string, known: readonly string[]): CommandError {
  const near = nearest(name, known)
  return new CommandError(
    `unknown event \`${name}\``,
    near ? `did you mean \`${near}\`?` : `known are ${known.join(", ")}`,
  )
}

function eventIn(io: Io): JsonObject {
  try {
    const event = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(io.stdin()))
    if (isObject(event)) return event
  } catch {
    // It is said below.
  }
  throw new CommandError("the event on stdin is no JSON object")
}

/** @throws CommandError where the command could not be started, or was ended by a signal: it has said nothing. */
function ran([program, ...rest]: readonly string[], payload: JsonObject, { env, cwd }: Io): Ended {
  const root = env.CLAUDE_PROJECT_DIR ?? projectFolder({ cwd })
  const { status, signal, error, stdout, stderr } = spawnSync(program!, rest, {
    cwd,
    env: { ...env, CLAUDE_PROJECT_DIR: root },
    input: JSON.stringify(payload),
    encoding: "utf8",
    maxBuffer: LONGEST,
  })
  // A command that does not read what it is given has its say all the same.
  if (status !== null) return { code: status, stdout, stderr }
  const why =
    signal === null
      ? `did not start (${(error as NodeJS.ErrnoException | undefined)?.code ?? "unknown"})`
      : `was ended by ${signal}`
  throw new CommandError(`\`${program}\` ${why}`)
}
