import { combine, type Heard } from "../../dialects/vix/combine.ts"
import { type Envelope, envelopeOf, startedByVix } from "../../dialects/vix/envelope.ts"
import { type VixEventName, vixEvent } from "../../dialects/vix/events.ts"
import { compileVixMatcher } from "../../dialects/vix/matcher.ts"
import { outputOf } from "../../dialects/vix/verdict.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { HostHook } from "../../policy/host.ts"
import type { FolderHook } from "./folder.ts"
import { type Came, runMember } from "./member.ts"
import { type Fire, record } from "./record.ts"
import type { Outer, Runners } from "./runners.ts"

/** Milliseconds that a group has after its last member's time: to end what it started, and to write it down. */
const ENDING_MS = 3000

/** What a folder's hooks need of the world. */
export interface World {
  /** the folder of all hooks; absolute */
  readonly dir: string
  readonly runners: Runners
  /** what an envelope says where the host does not */
  readonly given?: JsonObject
  /** keeps a notice for the user; the answer is the thread's id */
  readonly notice?: (hook: FolderHook, envelope: Envelope, text: string) => Promise<string>
}

/** The hooks of a folder that an envelope concerns: enabled, of its event, and with a matcher that its field fits. */
export function concerning(hooks: readonly FolderHook[], envelope: Envelope): readonly FolderHook[] {
  // What a hook has started must not fire hooks again.
  if (startedByVix(envelope)) return []
  const name = envelope.hook_event_name
  const { matches } = vixEvent(name)
  const field = matches === undefined ? "" : String(envelope[matches] ?? "")
  return hooks.filter(
    ({ enabled, event, matcher }) =>
      enabled && event === name && (matches === undefined || compileVixMatcher(matcher)(field)),
  )
}

/**
 * The sync hooks that an event concerns as one hook of ours: all see the same input, then they are put together. The rest of the
 * policy looks again at what they have rewritten; they themselves do not.
 *
 * @param hooks those that are concerned; at least one
 */
export function groupHook(name: VixEventName, phase: HostHook["phase"], hooks: readonly FolderHook[], world: World) {
  const { on, carries } = vixEvent(name)
  const blocking = hooks.some((hook) => hook.blocking)
  return {
    id: `vix:${name}`,
    on,
    ...(phase === undefined ? {} : { phase }),
    effect: blocking ? carries : "advise",
    recheck: false,
    timeoutMs: Math.max(...hooks.map(({ timeoutMs }) => timeoutMs)) + ENDING_MS,
    fn: async (event, context) => {
      const envelope = envelopeOf(name, event, world.given)
      const members = await Promise.all(hooks.map((hook) => timed(hook, envelope, world, context)))
      const heard = members.flatMap(({ hook, came: { reading } }) =>
        reading && "decision" in reading ? [{ id: hook.id, blocking: hook.blocking, decision: reading.decision }] : [],
      )
      const { decision, heard: stands, reports } = combine(heard)
      for (const report of reports) context.note(report)
      const written = await Promise.all(
        members.map((member) => {
          const fire = syncFire(
            member,
            envelope,
            stands.find(({ id }) => id === member.hook.id),
          )
          return record(member.hook, world.dir, fire)
        }),
      )
      for (const told of [...members.flatMap(troubles), ...written.flat()]) context.note(told)
      return outputOf(decision, name)
    },
  } satisfies HostHook
}

/** One member, what it came to, and when. */
interface Member {
  readonly hook: FolderHook
  readonly came: Came
  readonly at: string
  readonly durationMs: number
}

async function timed(hook: FolderHook, envelope: Envelope, { runners }: World, outer: Outer): Promise<Member> {
  const at = new Date().toISOString()
  const began = performance.now()
  const came = await runMember(hook, envelope, runners, outer)
  return { hook, came, at, durationMs: performance.now() - began }
}

const errorOf = ({ error, reading }: Came): string | undefined =>
  error ?? (reading && "problem" in reading ? reading.problem : undefined)

/** What a person should know: the action went on, and perhaps should not have. */
function troubles({ hook, came }: Member): string[] {
  const error = errorOf(came)
  return [
    ...(error === undefined ? [] : [`the hook \`${hook.id}\` failed, and the action goes on: ${error}`]),
    ...[...(came.reading?.warnings ?? []), ...came.notes].map((note) => `the hook \`${hook.id}\`: ${note}`),
  ]
}

function syncFire(member: Member, envelope: Envelope, heard: Heard | undefined): Fire {
  const error = errorOf(member.came)
  return {
    at: member.at,
    event: envelope.hook_event_name,
    async: false,
    status: error === undefined ? (heard?.decision.behavior ?? "allow") : "error",
    durationMs: member.durationMs,
    ...(error === undefined ? {} : { error }),
    more: { ...moreOf(member, envelope), ...saidOf(heard) },
  }
}

/** Longer texts are cut in the log, so that a line stays one write. */
const LONGEST = 2000

const saidOf = (heard: Heard | undefined): JsonObject => ({
  ...(heard?.lowered === undefined ? {} : { lowered: heard.lowered }),
  ...(heard?.decision.reason === undefined ? {} : { reason: heard.decision.reason.slice(0, LONGEST) }),
})

function moreOf({ hook, came }: Member, { thread_id, tool_name }: Envelope): JsonObject {
  const warnings = [...(came.reading?.warnings ?? []), ...came.notes]
  return {
    ...(hook.createdBy === undefined ? {} : { created_by: hook.createdBy }),
    ...(typeof thread_id === "string" ? { of_thread: thread_id } : {}),
    ...(typeof tool_name === "string" ? { tool_name } : {}),
    ...(came.exit === undefined ? {} : { exit: came.exit }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** What became of one hook that was fired and not waited for. */
export interface Done {
  readonly hook: string
  readonly event: VixEventName
  readonly status: "done" | "error"
  readonly durationMs: number
  readonly error?: string
  readonly threadId?: string
  readonly notes: readonly string[]
}

/** Runs one hook for its own sake: nothing waits for its decision, which stops and changes nothing. */
export async function fireAsync(hook: FolderHook, envelope: Envelope, world: World, outer: Outer): Promise<Done> {
  const member = await timed(hook, { ...envelope, ...missing(world.given, envelope) }, world, outer)
  const { came, at, durationMs } = member
  const notes = [...came.notes]
  let error = errorOf(came)
  let threadId: string | undefined
  // A workflow's or a prompt's last words land with the user.
  if (came.text?.trim() && world.notice) {
    threadId = await world.notice(hook, envelope, came.text).catch((cause: Error) => {
      error ??= `its text could not be kept: ${cause.message}`
      return undefined
    })
  }
  const told = {
    ...(error === undefined ? {} : { error }),
    ...(threadId === undefined ? {} : { threadId }),
    status: error === undefined ? "done" : "error",
    durationMs,
  } as const
  const { hook_event_name: event } = envelope
  notes.push(...(await record(hook, world.dir, { at, event, async: true, ...told, more: moreOf(member, envelope) })))
  return { hook: hook.id, event, ...told, notes }
}

const missing = (given: JsonObject = {}, envelope: Envelope): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([key]) => envelope[key] === undefined))
