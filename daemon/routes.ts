import type { Scope } from "../store/scopes.ts"
import { answerBody } from "./answer-body.ts"
import type { BodyOf } from "./body.ts"
import { eventBody } from "./event-body.ts"
import { payloadBody } from "./hook-body.ts"
import { callBody, execBody } from "./operation-bodies.ts"
import { putBody } from "./put-body.ts"

/** One route: the app, the OpenAPI document, the reference and the boundaries are made of it. */
export interface RouteRow {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** as OpenAPI writes it: `/v1/approvals/{id}` */
  readonly path: string
  readonly doc: string
  /** a caller needs one of these; empty: anybody that is known; absent: nobody is asked who they are */
  readonly scopes?: readonly Scope[]
  readonly body?: BodyOf<unknown>
  /** by name, what each query parameter says */
  readonly query?: Readonly<Record<string, string>>
  /** what a good answer is written in */
  readonly answers: string
}

const JSON_TYPE = "application/json"

/** Every route of the daemon. */
export const ROUTES = Object.freeze({
  decide: {
    method: "POST",
    path: "/v1/decide",
    doc: "fires one moment of an outside agent and answers the verdict with its frames",
    scopes: ["decide"],
    body: eventBody,
    answers: JSON_TYPE,
  },
  hook: {
    method: "POST",
    path: "/v1/hook/{agent}",
    doc: "answers one event of an agent in its own words: the exit code on the first line, then stdout (0) or stderr (2)",
    scopes: ["decide"],
    body: payloadBody,
    query: {
      event: "the agent's name of the event, where its payload does not say it",
      timeout: "seconds that the agent gives its hook; default: the agent's own",
      rewriteGrants: "true: replacements that the agent takes for a grant, or may discard, are let through",
    },
    answers: "text/plain",
  },
  call: {
    method: "POST",
    path: "/v1/call",
    doc: "calls a tool of one of the policy's servers with the hooks in force around it; frames as they come, where NDJSON is accepted",
    scopes: ["exec"],
    body: callBody,
    answers: JSON_TYPE,
  },
  exec: {
    method: "POST",
    path: "/v1/exec",
    doc: "runs a script with its hooks; frames as they come, where NDJSON is accepted, or one structured answer",
    scopes: ["exec"],
    body: execBody,
    answers: JSON_TYPE,
  },
  hooksInForce: {
    method: "GET",
    path: "/v1/settings/hooks",
    doc: "the hooks in force, at which level, and where each came from",
    scopes: ["read"],
    answers: JSON_TYPE,
  },
  settings: {
    method: "GET",
    path: "/v1/settings",
    doc: "every setting with its value, and the layer and the place that it is from",
    scopes: ["read"],
    answers: JSON_TYPE,
  },
  setting: {
    method: "GET",
    path: "/v1/settings/{path}",
    doc: "one setting: what every layer says of it, and what counts",
    scopes: ["read"],
    answers: JSON_TYPE,
  },
  putSetting: {
    method: "PUT",
    path: "/v1/settings/{path}",
    doc: "says a setting to the running daemon; what may run code or waits for a restart is not taken",
    scopes: ["administer"],
    body: putBody,
    answers: JSON_TYPE,
  },
  threads: {
    method: "GET",
    path: "/v1/threads",
    doc: "notices for the user, newest first",
    scopes: ["read"],
    query: { unread: "only those that nobody has read" },
    answers: JSON_TYPE,
  },
  points: {
    method: "GET",
    path: "/v1/points",
    doc: "the points that hooks can be on, and what a hook receives there",
    scopes: ["read"],
    answers: JSON_TYPE,
  },
  boundaries: {
    method: "GET",
    path: "/v1/boundaries",
    doc: "every restriction, and whether it is enforced or advisory",
    scopes: ["read"],
    answers: JSON_TYPE,
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    doc: "the description of these routes, OpenAPI 3.1",
    scopes: [],
    answers: JSON_TYPE,
  },
  events: {
    method: "GET",
    path: "/v1/events",
    doc: "everything that happens, as server-sent events; what a slow reader loses is counted and told",
    scopes: ["read"],
    query: {
      kinds: "plain prefixes of kinds, with commas between; `*` is all",
      from: "the number of the last event that was seen: what is kept of those after it comes first",
    },
    answers: "text/event-stream",
  },
  approvals: {
    method: "GET",
    path: "/v1/approvals",
    doc: "the questions that wait for a person",
    scopes: ["approve", "read"],
    query: { state: "open, answered, redeemed, expired, withdrawn or all; default: open" },
    answers: JSON_TYPE,
  },
  answerApproval: {
    method: "POST",
    path: "/v1/approvals/{id}",
    doc: "answers a question of somebody else's, once",
    scopes: ["approve"],
    body: answerBody,
    answers: JSON_TYPE,
  },
  mcp: {
    method: "POST",
    path: "/mcp",
    doc: "the gateway of the policy's MCP servers, over Streamable HTTP: one message; the caller's own sessions and no others",
    scopes: ["exec"],
    answers: JSON_TYPE,
  },
  mcpStream: {
    method: "GET",
    path: "/mcp",
    doc: "what a session of the gateway is told outside of any request",
    scopes: ["exec"],
    answers: "text/event-stream",
  },
  mcpEnd: {
    method: "DELETE",
    path: "/mcp",
    doc: "ends a session of the gateway",
    scopes: ["exec"],
    answers: JSON_TYPE,
  },
  health: {
    method: "GET",
    path: "/healthz",
    doc: "whether the daemon is there; with `?ready`, whether it takes work",
    query: { ready: "503 while it is stopping, or while it cannot write what has to be written" },
    answers: JSON_TYPE,
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    doc: "figures for Prometheus",
    scopes: ["read"],
    answers: "text/plain",
  },
} as const satisfies Record<string, RouteRow>)

export type RouteName = keyof typeof ROUTES

/** A route's row with the wide type that loops want. */
export const routeRow = (name: RouteName): RouteRow => ROUTES[name]

export const ROUTE_NAMES = Object.freeze(Object.keys(ROUTES)) as readonly RouteName[]
