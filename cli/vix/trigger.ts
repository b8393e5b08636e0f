import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { FolderHook } from "../../actions/vix/folder.ts"
import { type Done, fireAsync } from "../../actions/vix/group.ts"
import type { Outer } from "../../actions/vix/runners.ts"
import { showDuration } from "../../dialects/vix/duration.ts"
import type { Envelope } from "../../dialects/vix/envelope.ts"
import type { Engine } from "../../engine/engine.ts"
import { OperationError } from "../../engine/errors.ts"
import { eventOfCall, type Servers, sender } from "../../mcp/servers.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { CommandError, fileError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import { policyOf } from "../policy.ts"
import { endWithHooks } from "../signals.ts"
import { envelopeIn } from "./envelope.ts"
import { openFolder, withWorld } from "./folder.ts"

/** Fires hooks of the folder by hand, each recorded as an async fire: their decisions stop and change nothing. */
export async function run(call: Call): Promise<number> {
  const { args, io } = call
  const opened = await openFolder(call)
  const hooks = args.map((id) => hookOf(opened.hooks, id, opened.dir))
  const envelope = envelopeOf(call)
  const { policy } = await policyOf(call)
  const all = await withWorld(call, opened, policy, (world) =>
    withEngine(call, policy, {}, async (engine, servers) => {
      endWithHooks()
      const outer = outerOf(engine, servers)
      return Promise.all(hooks.map((hook) => fireAsync(hook, envelope ?? byHand(hook, io.cwd), world, outer)))
    }),
  )
  print(call, all)
  return all.every(({ status }) => status === "done") ? 0 : 1
}

function hookOf(hooks: readonly FolderHook[], id: string, dir: string): FolderHook {
  const found = hooks.find((hook) => hook.id === id)
  if (found) return found
  const ids = hooks.map((hook) => hook.id)
  const near = nearest(id, ids)
  const known = ids.length === 0 ? "there are none" : `there are ${ids.join(", ")}`
  throw new CommandError(`no hook \`${id}\` is in \`${dir}\``, near === undefined ? known : `did you mean \`${near}\`?`)
}

function envelopeOf({ given, io }: Call): Envelope | undefined {
  const source = given.value("event")
  if (source === undefined) return undefined
  if (source === "-") return envelopeIn(io.stdin())
  const path = resolve(io.cwd, source)
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw fileError(path, cause)
  }
  return envelopeIn(bytes)
}

/** The event of a hook that somebody fires without one. */
const byHand = ({ event }: FolderHook, cwd: string): Envelope => ({
  hook_event_name: event,
  thread_id: "by-hand",
  cwd,
  origin: "user",
  headless: true,
})

/** No engine runs these hooks, but what they call passes one, with all of the policy around it. */
const outerOf = (engine: Engine, servers: Servers): Outer => ({
  effective: "apply",
  operation: {},
  signal: new AbortController().signal,
  async call(server, tool, args) {
    const event = await eventOfCall(servers, server, tool, args)
    const verdict = await engine.around("call", event, sender(servers, server, tool))
    if (verdict.error) throw new OperationError(verdict.error)
    return verdict.result
  },
})

function print(call: Call, all: readonly Done[]): void {
  const { io } = call
  const format = formatOf(call)
  if (format === "json") io.out.line(document(all))
  else if (format === "ndjson") for (const one of all) io.out.line(JSON.stringify(one))
  else {
    for (const { hook, status, durationMs, error, threadId, notes } of all) {
      const what = error === undefined ? "" : `: ${error}`
      const where = threadId === undefined ? "" : `, notice ${threadId}`
      io.out.line(`${hook}: ${status} in ${showDuration(durationMs)}${where}${what}`)
      for (const note of notes) io.err.line(`detent: the hook \`${hook}\`: ${note}`)
    }
  }
}
