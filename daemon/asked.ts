import type { JsonObject } from "../effects/json.ts"
import type { CallSettings } from "./autonomy.ts"
import type { Caller } from "./callers.ts"

/** A request that has passed all checks. */
export interface Asked<Body = unknown> {
  readonly caller: Caller
  readonly body: Body
  /** the parts of the path that stand for something */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly settings: CallSettings
  /** aborted when the client is gone */
  readonly signal: AbortSignal
  /** the request itself, whose body is unread where the route takes none */
  readonly request: Request
  readonly header: (name: string) => string | undefined
}

/** A JSON answer. */
export const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: JSON_HEADERS })

const JSON_HEADERS = Object.freeze({ "content-type": "application/json" })

/** A member that is left out where it is not there. */
export const member = (name: string, value: unknown): JsonObject => (value === undefined ? {} : { [name]: value })
