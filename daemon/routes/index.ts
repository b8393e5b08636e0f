import type { Asked } from "../asked.ts"
import type { Daemon } from "../daemon.ts"
import type { RouteName } from "../routes.ts"
import { answerApproval, approvals } from "./approvals.ts"
import { decide } from "./decide.ts"
import { events } from "./events.ts"
import { health } from "./health.ts"
import { metrics } from "./metrics.ts"

/** Answers one route's requests. */
export type Do<Body = never> = (asked: Asked<Body>, daemon: Daemon) => Response | Promise<Response>

/** What each route does. */
export const DO = Object.freeze({ decide, events, approvals, answerApproval, health, metrics } satisfies Record<
  RouteName,
  Do
>)
