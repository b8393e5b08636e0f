import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api"
import type { JsonObject } from "../effects/json.ts"
import type { Verdict } from "../frames/frames.ts"
import { VERSION } from "../settings/version.ts"
import type { World } from "./world.ts"

const NAME = "detent"

/** Milliseconds for which a collector may keep spans waiting, at the end of the daemon, too. */
const PATIENCE_MS = 2000

/**
 * Sends spans to the collector that the environment names, as OpenTelemetry's own variables say it; whoever has loaded a
 * provider of their own (`node --import`) keeps that.
 *
 * @returns what sends the rest and ends it; undefined where nothing is sent from here
 */
export async function startTraces({ env }: World): Promise<(() => Promise<void>) | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env
  const url = traces || (all && `${all.replace(/\/$/, "")}/v1/traces`)
  if (!url || env.OTEL_SDK_DISABLED === "true") return undefined
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BasicTracerProvider, BatchSpanProcessor }] =
    await Promise.all([
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace-base"),
    ])
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": env.OTEL_SERVICE_NAME || NAME, "service.version": VERSION }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: PATIENCE_MS }))],
  })
  if (!trace.setGlobalTracerProvider(provider)) return provider.shutdown().then(() => undefined)
  return async () => {
    // A collector that is gone keeps nothing from its end.
    await provider.shutdown().catch(() => {})
    trace.disable()
  }
}

/** The trace that a request belongs to, as its `traceparent` says (W3C Trace Context). */
export function parentIn(traceparent: string | undefined): Context {
  const [, traceId = "", spanId = "", flags = "0"] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(traceparent ?? "") ?? []
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT
}

/** What a span tells of what is decided. */
export interface Traced {
  readonly on: string
  /** absent: a whole operation */
  readonly phase?: string
  readonly event: JsonObject
  readonly caller: JsonObject
  readonly parent?: Context | undefined
}

/**
 * Runs something that comes to a verdict in a span of its own.
 *
 * INVARIANT: a span tells names and levels, and nothing of what a call holds (test/daemon/traces.test.ts).
 */
export async function traced(about: Traced, work: () => Promise<Verdict>): Promise<Verdict> {
  const { parent = ROOT_CONTEXT } = about
  const options = { kind: SpanKind.SERVER, attributes: attributesOf(about) }
  const span = trace.getTracer(NAME, VERSION).startSpan(`${NAME}.${about.on}`, options, parent)
  if (!span.isRecording()) return work()
  try {
    const verdict = await work()
    const { outcome, refusal, frames } = verdict
    span.setAttributes({ "detent.outcome": outcome, ...(refusal?.hook && { "detent.refused_by": refusal.hook }) })
    for (const frame of frames) {
      if (frame.type !== "hook") continue
      const { hook, phase, effect, durationMs, failed, skipped } = frame
      const why = { ...(failed && { failed: failed.kind }), ...(skipped && { skipped }) }
      span.addEvent("hook", { hook, phase, effect, durationMs, ...why })
    }
    return verdict
  } catch (cause) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw cause
  } finally {
    span.end()
  }
}

function attributesOf({ on, phase, event, caller }: Traced): Attributes {
  const text = (name: string): Attributes =>
    typeof event[name] === "string" ? { [`detent.${name}`]: event[name] as string } : {}
  return {
    "detent.on": on,
    ...(phase === undefined ? {} : { "detent.phase": phase }),
    "detent.caller": String(caller.id),
    ...text("server"),
    ...text("tool"),
    ...text("agent"),
  }
}
