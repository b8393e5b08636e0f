import { type Attributes, metrics, type Span, SpanStatusCode, trace } from "@opentelemetry/api"
import type { World } from "../dialects/conduit/run.ts"
import type { HookEnd, HookRun, HookTelemetry } from "../dialects/conduit/types.ts"
import { VERSION } from "../settings/version.ts"

const NAME = "detent"

/** The names under which each run of a hook is told to OpenTelemetry: a span, and a duration by how it ended. */
export const HOOK = Object.freeze({
  span: "detent.client.hook",
  stop: "detent.client.hook.stop",
  exception: "detent.client.hook.exception",
})

/**
 * Tells each run of a hook: a span and a metric through whatever OpenTelemetry the host has set up, and a plain event.
 *
 * INVARIANT: nothing that a hook was given, gave back or threw is told (test/dialects/conduit/telemetry.test.ts).
 */
export function observer(
  now: () => number,
  onTelemetry: ((event: HookTelemetry) => void) | undefined,
): NonNullable<World["observe"]> {
  const tracer = trace.getTracer(NAME, VERSION)
  const meter = metrics.getMeter(NAME, VERSION)
  const durations = {
    stop: meter.createHistogram(HOOK.stop, { unit: "s", description: "runs of client hooks that gave an answer" }),
    exception: meter.createHistogram(HOOK.exception, { unit: "s", description: "runs of client hooks that failed" }),
  }
  return (run, go) =>
    tracer.startActiveSpan(HOOK.span, { attributes: attributesOf(run) }, async (span) => {
      const began = now()
      const ran = await go()
      const durationMs = now() - began
      const ending = endOf(ran.end)
      finish(span, ran.end, ending)
      durations["status" in ran.end ? "stop" : "exception"].record(durationMs / 1000, {
        ...attributesOf(run),
        ...ending,
      })
      tell(onTelemetry, { ...run, durationMs, ...typed(ran.end) })
      return ran
    })
}

const attributesOf = ({ event, hook, server, tool }: HookRun): Attributes => ({
  "detent.hook.event": event,
  "detent.hook.id": hook,
  "detent.server": server,
  ...(tool === undefined ? {} : { "detent.tool": tool }),
})

const endOf = (end: HookEnd): Attributes =>
  "status" in end ? { "detent.hook.status": end.status } : { "detent.hook.reason": end.reason }

function finish(span: Span, end: HookEnd, ending: Attributes): void {
  span.setAttributes(ending)
  if ("reason" in end) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const typed = (end: HookEnd) =>
  "status" in end ? ({ type: "hook.stop", ...end } as const) : ({ type: "hook.exception", ...end } as const)

/** A listener's own failure is no reason to fail a call. */
function tell(onTelemetry: ((event: HookTelemetry) => void) | undefined, event: HookTelemetry): void {
  try {
    onTelemetry?.(event)
  } catch {}
}
