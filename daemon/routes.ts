import type { Scope } from "../store/scopes.ts"
import { answerBody } from "./answer-body.ts"
import type { BodyOf } from "./body.ts"
import { eventBody } from "./event-body.ts"

/** One route: the app, the OpenAPI document, the reference and the boundaries are made of it. */
export interface RouteRow {
  readonly method: "GET" | "POST" | "PUT"
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
