import { eventOfCall, sender } from "../../mcp/servers.ts"
import { type Asked, json, member } from "../asked.ts"
import { callerLevel } from "../autonomy.ts"
import { callerEvent, claimsOf } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import { FrameStream, wantsFrames } from "../frame-stream.ts"
import { operating } from "../operate.ts"
import type { CallBody } from "../operation-bodies.ts"
import { parentIn } from "../traces.ts"

/** Calls a tool of one of the policy's servers, with the hooks in force around it. */
export async function call(asked: Asked<CallBody>, daemon: Daemon): Promise<Response> {
  const { caller, body, settings, header, signal } = asked
  const { server, tool, args = {}, meta, session, agent, caller: said } = body
  const who = callerEvent(caller, claimsOf(said))
  const cancel = new AbortController()
  const frames = wantsFrames(header("accept")) ? new FrameStream(() => cancel.abort()) : undefined
  for (const text of settings.notices) frames?.frame({ type: "log", level: "warn", args: [text] })
  const running = daemon.use(async (standing) => {
    const known = await eventOfCall(standing.servers, server, tool, args)
    const event = { ...known, ...member("meta", meta), ...member("session", session), ...member("agent", agent) }
    const { autonomy, lowered } = callerLevel(standing, caller, settings.autonomy, { ...event, caller: who })
    const engine = operating({ daemon, standing, caller: who, parent: parentIn(header("traceparent")) })
    const verdict = await engine.around("call", event, sender(standing.servers, server, tool), {
      signal: frames ? cancel.signal : signal,
      ...(frames ? { onFrame: (frame) => frames.frame(frame) } : {}),
      ...(autonomy === undefined ? {} : { autonomy }),
    })
    return { ...verdict, ...lowered, ...member("notices", settings.notices.length > 0 ? settings.notices : undefined) }
  })
  return frames ? streamed(daemon, frames, running) : json(await running)
}

/** Answers frames as they come; what goes wrong on the way is told in the stream, whose status is long said. */
export function streamed(daemon: Daemon, frames: FrameStream, running: Promise<unknown>): Response {
  running
    .catch((cause: unknown) => {
      daemon.log.error({ err: cause }, "an operation ended in a fault of our own")
      frames.fail(cause instanceof Error ? cause.message : String(cause))
    })
    .finally(() => frames.end())
  return new Response(frames.stream, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  })
}
