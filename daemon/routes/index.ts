import type { Asked } from "../asked.ts"
import type { Daemon } from "../daemon.ts"
import type { RouteName } from "../routes.ts"
import { decide } from "./decide.ts"
import { health } from "./health.ts"
import { metrics } from "./metrics.ts"

/** Answers one route's requests. */
export type Do<Body = never> = (asked: Asked<Body>, daemon: Daemon) => Response | Promise<Response>

/** What each route does. */
export const DO = Object.freeze({ decide, health, metrics } satisfies Record<RouteName, Do>)
