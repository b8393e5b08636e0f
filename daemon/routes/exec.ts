import { resolve } from "node:path"
import { inherited } from "../../actions/run/environment.ts"
import { sourcesOf } from "../../exec/in-force.ts"
import { runScript } from "../../exec/run.ts"
import { linesOfCall } from "../../exec/sources.ts"
import type { RunResult } from "../../exec/types.ts"
import type { Frame } from "../../frames/frames.ts"
import { callThrough } from "../../mcp/script-call.ts"
import { type Asked, json, member } from "../asked.ts"
import { callerLevel, sourcesFor } from "../autonomy.ts"
import { callHooks, engineWith } from "../call-hooks.ts"
import { callerEvent, claimsOf } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import { FrameStream, wantsFrames } from "../frame-stream.ts"
import { operating } from "../operate.ts"
import type { ExecBody } from "../operation-bodies.ts"
import { Problem } from "../problem.ts"
import type { Standing } from "../standing.ts"
import { parentIn } from "../traces.ts"
import { streamed } from "./call.ts"

/** Runs a script through the same launcher as every other surface: frames as they come, or one structured answer. */
export async function exec(asked: Asked<ExecBody>, daemon: Daemon): Promise<Response> {
  const { body, caller, header, signal } = asked
  if ((body.file === undefined) === (body.code === undefined)) {
    throw new Problem("bad-request", "the body needs one of `file` and `code`")
  }
  // What is wrong with the hooks is said before anything of a stream is.
  const hooks = callHooks(body.hooks ?? [], caller)
  if (wantsFrames(header("accept"))) {
    const cancel = new AbortController()
    const frames = new FrameStream(() => cancel.abort())
    const tell = (frame: Frame): void => frames.frame(frame)
    return streamed(
      daemon,
      frames,
      daemon.use((standing) => run(asked, hooks, { daemon, standing, signal: cancel.signal, tell })),
    )
  }
  const told: Frame[] = []
  const tell = (frame: Frame): void => void told.push(frame)
  const result = await daemon.use((standing) => run(asked, hooks, { daemon, standing, signal, tell }))
  return json({ ...result, frames: told })
}

interface Run {
  readonly daemon: Daemon
  readonly standing: Standing
  readonly signal: AbortSignal
  readonly tell: (frame: Frame) => void
}

async function run(
  { body, caller, settings, header }: Asked<ExecBody>,
  hooks: ReturnType<typeof callHooks>,
  { daemon, standing, signal, tell }: Run,
): Promise<RunResult> {
  const { world } = daemon
  const who = callerEvent(caller, claimsOf(body.caller))
  const cwd = resolve(world.cwd, body.cwd ?? ".")
  const script = { ...member("file", body.file), ...member("code", body.code), args: body.args ?? [] }
  const event = { cwd, ...member("session", body.session) }
  const { autonomy } = callerLevel(standing, caller, settings.autonomy, {
    ...event,
    ...script,
    on: "script",
    caller: who,
  })
  const own = hooks.length > 0 ? await engineWith(standing, hooks) : undefined
  const parent = parentIn(header("traceparent"))
  const engine = operating({ daemon, standing, caller: who, parent, ...(own ? { engine: own } : {}) })
  const partOf = {}
  const level = autonomy === undefined ? {} : { autonomy }
  // The frames of one run stand in one stream, in which its calls are a part.
  const notice = (text: string): void => tell({ type: "log", level: "warn", args: [text] })
  for (const text of settings.notices) notice(text)
  try {
    return await runScript(
      engine,
      {
        ...script,
        cwd,
        env: { ...inherited(world.env), ...body.env },
        event,
        sources: {
          ...sourcesOf(standing.policy, who, { ...event, ...script }),
          ...sourcesFor(autonomy),
          command: linesOfCall(body.script ?? {}, "/v1/exec"),
        },
        call: callThrough(engine, standing.servers, { caller: who, partOf, ...level }, tell),
      },
      {
        frames: true,
        stdin: "ignore",
        signal,
        caller: who,
        partOf,
        onFrame: tell,
        onNotice: notice,
        ...level,
        ...(body.delivery ? { delivery: body.delivery } : {}),
        ...(body.timeoutMs === undefined ? {} : { timeoutMs: body.timeoutMs }),
        ...(body.artifacts === undefined ? {} : { artifactsDir: body.artifacts }),
      },
    )
  } finally {
    await own?.close()
  }
}
