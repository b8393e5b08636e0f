import { createEngine } from "../actions/engine.ts"
import type { Answer, Dialect, MomentRow, Reading } from "../dialects/dialect.ts"
import { DIALECT_NAMES, DIALECTS, dialectOf } from "../dialects/dialects.ts"
import { passed, refused } from "../dialects/failing.ts"
import { fireMoments } from "../dialects/fire.ts"
import { PayloadError, readPayload } from "../dialects/read.ts"
import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { serversOf } from "../mcp/servers.ts"
import { nearest } from "../policy/nearest.ts"
import { candidates } from "../settings/discover.ts"
import { readCaller } from "./caller.ts"
import { cassettesOf } from "./cassettes.ts"
import type { Call } from "./command.ts"
import { CommandError, tellError } from "./errors.ts"
import { observersApart } from "./hook/apart.ts"
import { hangs, reached } from "./hook/reach.ts"
import type { Io } from "./io.ts"
import { policyOf, whereOf } from "./policy.ts"
import { recordingOf } from "./recording.ts"
import { endWithHooks } from "./signals.ts"

/** How long (ms) an answer's end may take where the agent's own limit says nothing of it. */
const UNTIMED = 30_000

/**
 * Answers one event of an agent. It starts for every tool call: what it imports is what the agent waits for.
 *
 * INVARIANT: whatever goes wrong here, an event that can be refused is refused, unless `--on-failure open` says otherwise, and
 * before the agent's own time limit (test/cli/hook.test.ts, test/cli/hook-time.test.ts).
 */
export async function run(call: Call): Promise<number> {
  const { io, given } = call
  const begun: Begun = { ends: [] }
  let reading: Reading | undefined
  let last = Date.now() + UNTIMED
  let code: number
  try {
    const payload = payloadOf(io)
    reading = readingOf(call, payload)
    const times = timesOf(reading.row, given.value("timeout"))
    last = Date.now() + times.lastMs
    const answer = given.on("remote")
      ? remoteAnswer(call, reading, payload)
      : answerTo(call, reading, Date.now() + times.hooksMs, begun)
    code = say(io, await within(times.lastMs, answer))
  } catch (error) {
    if (!(error instanceof PayloadError)) tellError(error, io)
    const why = `Detent failed: ${error instanceof Error ? error.message : String(error)}`
    code = say(io, given.value("on-failure") === "open" ? passed(reading, why) : refused(reading, why))
  }
  // The agent waits for the process, too: what does not end is left.
  await begun.observers?.()
  await within(Math.max(1, last - Date.now()), endAll(begun)).catch(() => leave(code))
  if (hangs()) leave(code)
  return code
}

/** What runs while an answer is looked for, and has to end after it. */
interface Begun {
  readonly ends: (() => Promise<unknown>)[]
  observers?: () => Promise<void>
}

async function endAll({ ends }: Begun): Promise<void> {
  for (const end of ends) await end()
}

/** Ends this process at once. With a read that hangs it would wait for that, so a signal has to do it: the answer is out. */
function leave(code: number): never {
  if (hangs()) process.kill(process.pid, "SIGKILL")
  process.exit(code)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CommandError(`no answer within ${ms} ms`)), ms)
  })
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function readingOf({ args, given, io }: Call, payload: JsonObject): Reading {
  const dialect = dialectOf(dialectNamed(args[0]!), payload)
  const reading = readPayload(dialect, payload, given.value("event"))
  for (const note of reading.notes) io.err.line(`detent: ${note}`)
  return reading
}

function dialectNamed(name: string): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name]!
  const near = nearest(name, DIALECT_NAMES)
  const hint = near === undefined ? `known are ${DIALECT_NAMES.join(", ")}` : `did you mean \`${near}\`?`
  throw new CommandError(`unknown agent \`${name}\``, hint)
}

function payloadOf(io: Io): JsonObject {
  let payload: unknown
  try {
    payload = parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(io.stdin()))
  } catch {
    throw new PayloadError("the payload on stdin is no JSON")
  }
  if (!isObject(payload)) throw new PayloadError("the payload on stdin is no JSON object")
  return payload
}

/** What the daemon answers, under the daemon's policy. */
async function remoteAnswer(call: Call, reading: Reading, payload: JsonObject): Promise<Answer> {
  const remote = await import("./hook/remote.ts")
  return remote.remoteAnswer(call, reading, payload)
}

async function answerTo(call: Call, reading: Reading, until: number, begun: Begun): Promise<Answer> {
  const { given, io } = call
  await reached(candidates(whereOf(call)))
  const { policy } = await policyOf(call, until)
  const caller = readCaller(given.value("caller")) ?? { id: reading.dialect.name }
  const apart = observersApart(call, policy, caller)
  begun.observers = apart.start
  const recording = await recordingOf(policy, io)
  begun.ends.unshift(() => recording.close())
  const servers = serversOf(policy, io)
  begun.ends.unshift(() => servers.close())
  const bare = await createEngine({
    policy: apart.policy,
    env: io.env,
    cwd: io.cwd,
    ...(apart.publish ? { publish: apart.publish } : {}),
    ...cassettesOf(call),
    ...servers.ports,
  })
  const engine = recording.of(bare, policy)
  begun.ends.unshift(() => engine.close())
  endWithHooks()
  const { row } = reading
  if (!row) return passOn(io, reading, (about) => engine.publish("agent.event", about, { caller }))
  const ruling = await fireMoments(
    (on, phase, event, more) => engine.fire(on, phase, event, { caller, ...more }),
    { ...reading, row },
    { rewriteGrants: given.on("rewrite-grants"), timeoutMs: Math.max(1, until - Date.now()) },
  )
  for (const notice of [...ruling.notices, ...(ruling.lowered ?? [])]) io.err.line(`detent: ${notice}`)
  if (row.advise === "stderr") for (const advice of ruling.advice) io.err.line(advice)
  return reading.dialect.answer({ ...reading, row }, ruling)
}

/** An event that no point is about yet: observers get it, and it is said. */
function passOn(io: Io, { dialect, name, event }: Reading, publish: (about: JsonObject) => void): Answer {
  const { host, ...rest } = event
  publish({ ...rest, host: { event: name, ...(host as JsonObject | undefined) } })
  io.err.line(`detent: no hook can be on \`${name}\` of ${dialect.title}; observers get it as \`agent.event\``)
  return { exitCode: 0 }
}

/** What the host gives us, less what a start and an answer take: until when hooks run, and until when we are gone (ms). */
function timesOf(
  row: MomentRow | undefined,
  said: string | undefined,
): { readonly hooksMs: number; readonly lastMs: number } {
  const seconds = said === undefined ? (row?.timeoutMs ?? UNTIMED) / 1000 : Number(said)
  if (!(seconds > 0)) throw new CommandError(`\`--timeout\` must be a number of seconds above 0, not \`${said}\``)
  const whole = seconds * 1000
  const margin = Math.max(300, whole / 10)
  return { hooksMs: Math.max(1, Math.round(whole - margin)), lastMs: Math.max(1, Math.round(whole - margin / 2)) }
}

/** Nothing but the answer goes to stdout: hosts read all of it as one document. */
function say(io: Io, { stdout, stderr, exitCode }: Answer): number {
  if (stderr !== undefined) io.err.line(stderr)
  if (stdout !== undefined) io.out.line(JSON.stringify(stdout))
  return exitCode
}
