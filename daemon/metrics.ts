import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import type { Bus } from "./bus.ts"

/** Seconds: a rule takes microseconds, a program milliseconds, a model seconds. */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** What Prometheus may ask for. */
export function metricsOf(version: string, bus: Pick<Bus, "subscribers" | "dropped">) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: "detent_info", help: "the daemon's version", labelNames: ["version"], registers }).set(
    { version },
    1,
  )
  new Gauge({
    name: "detent_event_subscribers",
    help: "readers of events",
    registers,
    collect() {
      this.set(bus.subscribers)
    },
  })
  new Gauge({
    name: "detent_events_dropped",
    help: "events that readers were too slow for, since the start",
    registers,
    collect() {
      this.set(bus.dropped)
    },
  })
  return {
    registry,
    requests: new Counter({
      name: "detent_http_requests_total",
      help: "requests answered",
      labelNames: ["route", "status"] as const,
      registers,
    }),
    decisions: new Counter({
      name: "detent_decisions_total",
      help: "moments and operations that came to their verdict",
      labelNames: ["on", "outcome"] as const,
      registers,
    }),
    seconds: new Histogram({
      name: "detent_decision_seconds",
      help: "how long a decision took, with all its hooks",
      labelNames: ["on"] as const,
      buckets: BUCKETS,
      registers,
    }),
    hookFailures: new Counter({
      name: "detent_hook_failures_total",
      help: "hooks that failed",
      labelNames: ["kind"] as const,
      registers,
    }),
    reloads: new Counter({
      name: "detent_policy_reloads_total",
      help: "times that the policy was read again",
      labelNames: ["result"] as const,
      registers,
    }),
    unwritten: new Counter({
      name: "detent_audit_unwritten_total",
      help: "decisions that could not be recorded: refused, or told all the same where audit.required is false",
      labelNames: ["what"] as const,
      registers,
    }),
    pruned: new Counter({
      name: "detent_audit_pruned_rows_total",
      help: "rows that the record has lost by its own retention",
      registers,
    }),
    stale: new Gauge({
      name: "detent_policy_stale",
      help: "1 while what is written is bad and the last good policy is in force",
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof metricsOf>
