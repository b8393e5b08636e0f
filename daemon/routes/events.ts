import { HAPPENING_TYPES, takesKind } from "../../policy/happenings.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Asked } from "../asked.ts"
import type { SubscribeOptions } from "../bus.ts"
import type { Daemon } from "../daemon.ts"
import { Problem } from "../problem.ts"

/** Milliseconds without an event after which a comment shows that the daemon is still there. */
const PATIENCE_MS = 15_000

/** Everything that happens, as server-sent events, from now on or from after the last one that was seen. */
export function events({ query, header }: Asked, { bus }: Daemon): Response {
  const subscriber = bus.subscribe(choiceOf(query, header("last-event-id")))
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      // Asked for when the reader has taken what was written before: a slow one is waited for, and its queue is bounded.
      async pull(controller) {
        const text = await subscriber.read(PATIENCE_MS)
        if (text === undefined) controller.close()
        else controller.enqueue(encoder.encode(text === "" ? ": still here\n\n" : text))
      },
      cancel: () => subscriber.close(),
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } })
}

function choiceOf(query: URLSearchParams, last: string | undefined): SubscribeOptions {
  const kinds = query
    .getAll("kinds")
    .flatMap((text) => text.split(","))
    .filter((kind) => kind !== "")
  for (const kind of kinds) checkKind(kind)
  const said = query.get("from") ?? last
  const from = said === undefined ? undefined : Number(said)
  if (from !== undefined && !(Number.isSafeInteger(from) && from >= 0)) {
    throw new Problem("bad-request", `\`${said}\` is no number of an event`)
  }
  return { ...(kinds.length > 0 ? { kinds } : {}), ...(from === undefined ? {} : { from }) }
}

function checkKind(kind: string): void {
  if (HAPPENING_TYPES.some((type) => takesKind(kind, type))) return
  const near = nearest(kind, HAPPENING_TYPES)
  throw new Problem("bad-request", `no kind of event begins with \`${kind}\``, {
    hint: near === undefined ? "`detent events --kinds` lists them" : `did you mean \`${near}\`?`,
  })
}
