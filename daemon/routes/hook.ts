import type { Answer, Dialect, Reading } from "../../dialects/dialect.ts"
import { DIALECT_NAMES, DIALECTS, dialectOf } from "../../dialects/dialects.ts"
import { deadlineOf, refused } from "../../dialects/failing.ts"
import { type Fire, fireMoments } from "../../dialects/fire.ts"
import { PayloadError, readPayload } from "../../dialects/read.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Verdict } from "../../frames/frames.ts"
import type { Asked } from "../asked.ts"
import { callerLevel } from "../autonomy.ts"
import { callerEvent } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import { type Deciding, decided } from "../decided.ts"
import { Problem } from "../problem.ts"

/**
 * Answers one event of an agent in the agent's own words: the exit code on the first line, then what goes to stdout (0)
 * or to stderr (2). What cannot be read is a problem, and whoever asked fails as it was told to.
 */
export async function hook(
  { caller, body, params, query, settings, signal }: Asked<JsonObject>,
  daemon: Daemon,
): Promise<Response> {
  const reading = readingOf(dialectNamed(params.agent ?? ""), body, query.get("event") ?? undefined)
  const { row, dialect } = reading
  const who = callerEvent(caller, { id: dialect.name })
  if (!row) {
    const { host, ...rest } = reading.event
    const about = { ...rest, host: { event: reading.name, ...(host as JsonObject | undefined) } }
    daemon.standing.engine.publish("agent.event", about, { caller: who })
    return text({ exitCode: 0 })
  }
  return daemon.use(async (standing) => {
    const { autonomy } = callerLevel(standing, caller, settings.autonomy, { ...reading.event, caller: who })
    const written: Promise<Verdict>[] = []
    const fire: Fire = async (on, phase, event, host) => {
      const deciding = { on, phase: phase as Deciding["phase"], event, caller: who }
      const options = { ...host, signal, ...(autonomy === undefined ? {} : { autonomy }) }
      const { verdict, recorded } = await decided(daemon, standing, deciding, options)
      written.push(recorded)
      return verdict
    }
    const ruling = await fireMoments(
      fire,
      { ...reading, row },
      { rewriteGrants: query.get("rewriteGrants") === "true", timeoutMs: deadlineOf(row, secondsIn(query)) },
    )
    // The moments of one event are written together; nothing of them is told before.
    const lost = (await Promise.all(written)).find(({ refusal }) => refusal?.code === "audit")
    return text(lost ? refused(reading, lost.refusal!.reason) : dialect.answer({ ...reading, row }, ruling))
  })
}

function dialectNamed(name: string): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name]!
  throw new Problem("not-found", `there is no agent \`${name}\``, { hint: `known are ${DIALECT_NAMES.join(", ")}` })
}

function readingOf(named: Dialect, payload: JsonObject, event: string | undefined): Reading {
  try {
    return readPayload(dialectOf(named, payload), payload, event)
  } catch (cause) {
    if (cause instanceof PayloadError) throw new Problem("bad-request", cause.message)
    throw cause
  }
}

function secondsIn(query: URLSearchParams): number | undefined {
  const said = query.get("timeout")
  if (said === null || Number(said) > 0) return said === null ? undefined : Number(said)
  throw new Problem("bad-request", `\`timeout\` must be a number of seconds above 0, not \`${said}\``)
}

function text({ exitCode, stdout, stderr }: Answer): Response {
  const said = exitCode === 2 ? (stderr ?? "") : stdout === undefined ? "" : JSON.stringify(stdout)
  return new Response(said === "" ? String(exitCode) : `${exitCode}\n${said}`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
}
