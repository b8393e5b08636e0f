import { HAPPENINGS } from "../policy/happenings.ts"
import { openDaemon } from "./client.ts"
import type { Call } from "./command.ts"
import { document, formatOf } from "./format.ts"
import { brief } from "./text/plain.ts"
import { columns } from "./text/wrap.ts"

/** Prints what happens in the daemon as it happens; or which kinds of it there are. */
export async function run(call: Call): Promise<number> {
  return call.given.on("kinds") ? listKinds(call) : follow(call)
}

function listKinds(call: Call): number {
  const { io } = call
  const kinds = Object.entries(HAPPENINGS)
  const format = formatOf(call)
  if (format === "text")
    io.out.line(
      columns(
        kinds.map(([kind, doc]) => [io.out.paint("code", kind), doc]),
        io.out.columns,
      ),
    )
  else if (format === "json") io.out.line(document(kinds.map(([kind, doc]) => ({ kind, doc }))))
  else for (const [kind, doc] of kinds) io.out.line(JSON.stringify({ kind, doc }))
  return 0
}

async function follow(call: Call): Promise<number> {
  const { args, given, io } = call
  const query = new URLSearchParams()
  if (args.length > 0) query.set("kinds", args.join(","))
  const from = given.value("from")
  if (from !== undefined) query.set("from", from)
  const cancel = new AbortController()
  io.out.onClosed(() => cancel.abort())
  const response = await openDaemon(call, { path: `/v1/events?${query}`, signal: cancel.signal })
  const text = formatOf(call) === "text"
  try {
    for await (const event of eventsOf(response)) {
      io.out.line(text ? `${event.seq ?? ""} ${event.type ?? ""} ${brief(event)}` : JSON.stringify(event))
    }
  } catch (cause) {
    if (!cancel.signal.aborted) throw cause
  }
  return 0
}

/** The events of a stream; `{type: "dropped", dropped}` where some were lost. */
async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data === undefined) continue
      const event = JSON.parse(data) as Record<string, unknown>
      yield "type" in event ? event : { type: "dropped", ...event }
    }
  }
}
