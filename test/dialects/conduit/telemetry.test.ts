import { metrics, trace } from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { HOOK } from "../../../actions/hook-telemetry.ts"
import type { ClientHooks, HookTelemetry, PostToolCall, PreToolCall } from "../../../dialects/conduit/types.ts"
import { OperationError } from "../../../engine/errors.ts"
import { called, engineWith, never, text } from "./world.ts"

const spans = new InMemorySpanExporter()
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
})
afterAll(() => {
  trace.disable()
  metrics.disable()
})
beforeEach(async () => {
  await reader.forceFlush()
  spans.reset()
  measured.reset()
})

/** Every histogram that was measured since the last look, with how often. */
async function measurements() {
  await reader.forceFlush()
  return measured.getMetrics().flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) =>
      scope.metrics.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({
          name: descriptor.name,
          unit: descriptor.unit,
          attributes,
          count: (value as { count: number }).count,
        })),
      ),
    ),
  )
}

/** One call, and what was told of the hook `one` in all three ways. */
async function told(hooks: ClientHooks, more: Parameters<typeof called>[1] = {}) {
  const events: HookTelemetry[] = []
  const { verdict } = await called(hooks, { onTelemetry: (event) => events.push(event), ...more })
  return { verdict, events, spans: spans.getFinishedSpans(), metrics: await measurements() }
}

/** Only one that never answers needs an end that is near: any other could meet it on a busy machine. */
const pre = (fn: unknown): ClientHooks => ({
  pre_tool_call: [["all", fn as PreToolCall, { id: "one", ...(fn === never && { timeout: 100 }) }]],
})
const post = (fn: unknown): ClientHooks => ({
  post_tool_call: [["all", fn as PostToolCall, { id: "one", ...(fn === never && { timeout: 100 }) }]],
})
const broken = () => {
  throw new OperationError({ code: "x", message: "SECRET" })
}

const ENDS: readonly [string, ClientHooks, "status" | "reason", string][] = [
  ["that says cont", pre(() => "cont"), "status", "cont"],
  ["that rewrites", pre((call: object) => ({ cont: { ...call, args: { path: "SECRET" } } })), "status", "rewrite"],
  ["that rewrites a result", post(() => ({ cont: text("SECRET") })), "status", "rewrite"],
  ["that denies", pre(() => ({ deny: "SECRET" })), "status", "deny"],
  ["that halts", pre(() => ({ halt: text("SECRET") })), "status", "halt"],
  ["that throws", pre(() => Promise.reject(new Error("SECRET"))), "reason", "raise"],
  ["that never answers", pre(never), "reason", "timeout"],
  ["that gives back what its event does not take", pre(() => "SECRET"), "reason", "bad_return"],
]

describe("a run of a hook", () => {
  it.each(ENDS)("%s is one span, one measurement and one event, with how it ended", async (_, hooks, kind, how) => {
    const { events, spans, metrics } = await told(hooks)
    const event = Object.keys(hooks)[0]
    const attributes = {
      "detent.hook.event": event,
      "detent.hook.id": "one",
      "detent.server": "fs",
      "detent.tool": "read_file",
      [`detent.hook.${kind}`]: how,
    }
    expect(spans.map(({ name }) => name)).toEqual([HOOK.span])
    expect(spans[0]?.attributes).toEqual(attributes)
    expect(spans[0]?.status.code).toBe(kind === "status" ? 0 : 2)
    const name = kind === "status" ? HOOK.stop : HOOK.exception
    expect(metrics).toEqual([{ name, unit: "s", attributes, count: 1 }])
    expect(events).toEqual([
      {
        type: kind === "status" ? "hook.stop" : "hook.exception",
        event,
        hook: "one",
        server: "fs",
        tool: "read_file",
        [kind]: how,
        durationMs: expect.any(Number),
      },
    ])
  })

  it("that recovers says so", async () => {
    const hooks: ClientHooks = { tool_call_failed: [["all", () => ({ recover: text("x") }), { id: "one" }]] }
    const { events } = await told(hooks, { answer: broken })
    expect(events).toMatchObject([{ type: "hook.stop", event: "tool_call_failed", status: "recover" }])
  })

  it("that is ended with its call says so", async () => {
    const events: HookTelemetry[] = []
    const engine = await engineWith(pre(never), { onTelemetry: (event) => events.push(event) })
    const cancel = new AbortController()
    const call = engine.around("call", { server: "fs", tool: "x" }, () => "sent", { signal: cancel.signal })
    setTimeout(() => cancel.abort(), 10)
    await call
    await expect.poll(() => events).toMatchObject([{ type: "hook.exception", reason: "exit" }])
  })

  it("of a listing names no tool", async () => {
    const events: HookTelemetry[] = []
    const engine = await engineWith(
      { on_tools_listed: [["all", () => "cont", { id: "one" }]] },
      { onTelemetry: (event) => events.push(event) },
    )
    await engine.fire("tools.list", "onSuccess", { server: "fs", result: { tools: [{ name: "a" }] } })
    expect(events).toEqual([
      {
        type: "hook.stop",
        event: "on_tools_listed",
        hook: "one",
        server: "fs",
        status: "cont",
        durationMs: expect.any(Number),
      },
    ])
  })

  it.each(ENDS)("%s tells nothing of what it was given, gave back or threw", async (_, hooks) => {
    const secret = { server: "fs", tool: "read_file", args: { path: "SECRET" }, meta: { key: "SECRET" } }
    const { events, spans, metrics } = await told(hooks, { event: secret, answer: () => text("SECRET") })
    const all = [
      events,
      metrics,
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    ]
    expect(events).toHaveLength(1)
    expect(JSON.stringify(all)).not.toContain("SECRET")
  })

  it("is told even where its failure is ignored", async () => {
    const hooks: ClientHooks = {
      post_tool_call: [["all", () => undefined as never, { id: "one", on_error: "ignore" }]],
    }
    const { events, verdict } = await told(hooks)
    expect(events).toMatchObject([{ type: "hook.exception", reason: "bad_return" }])
    expect(verdict.result).toEqual(text("hello"))
  })

  it("that a listener throws at goes on", async () => {
    const { verdict } = await called(
      pre(() => "cont"),
      {
        onTelemetry() {
          throw new Error("x")
        },
      },
    )
    expect(verdict.result).toEqual(text("hello"))
  })
})
