import type { Asked } from "../asked.ts"
import type { Daemon } from "../daemon.ts"
import type { RouteName } from "../routes.ts"
import { answerApproval, approvals } from "./approvals.ts"
import { call } from "./call.ts"
import { decide } from "./decide.ts"
import { events } from "./events.ts"
import { exec } from "./exec.ts"
import { health } from "./health.ts"
import { hook } from "./hook.ts"
import { mcp } from "./mcp.ts"
import { metrics } from "./metrics.ts"
import { boundaries, hooksInForce, openapi, points, threads } from "./reading.ts"
import { putSetting, setting, settings } from "./settings.ts"

/** Answers one route's requests. */
export type Do<Body = never> = (asked: Asked<Body>, daemon: Daemon) => Response | Promise<Response>

/** What each route does. */
export const DO = Object.freeze({
  decide,
  hook,
  call,
  exec,
  hooksInForce,
  settings,
  setting,
  putSetting,
  threads,
  points,
  boundaries,
  openapi,
  events,
  approvals,
  answerApproval,
  mcp,
  mcpStream: mcp,
  mcpEnd: mcp,
  health,
  metrics,
} satisfies Record<RouteName, Do>)
