import type { Scope } from "../store/scopes.ts"
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
