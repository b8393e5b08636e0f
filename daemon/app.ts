import type { IncomingMessage } from "node:http"
import type { HttpBindings } from "@hono/node-server"
import { type Context, Hono } from "hono"
import { doorkeeper } from "../mcp/gateway/origin.ts"
import type { Asked } from "./asked.ts"
import { callSettings, SETTINGS_HEADER } from "./autonomy.ts"
import { readBody } from "./body.ts"
import { callerOf, checkScope, LOCAL } from "./callers.ts"
import type { Daemon } from "./daemon.ts"
import { Problem } from "./problem.ts"
import { DO } from "./routes/index.ts"
import { ROUTE_NAMES, type RouteName, type RouteRow, routeRow } from "./routes.ts"

/** What a listener says of each request besides the request itself. */
export type Bindings = HttpBindings & { readonly via: "socket" | "tcp" }

type App = Hono<{ Bindings: Bindings }>
type Asking = Context<{ Bindings: Bindings }>

/** Bytes of the largest body that is read. */
const MAX_BODY = 16 * 1024 * 1024

/** How a listener has a request answered. */
export type Answer = (request: Request, bindings: Bindings) => Response | Promise<Response>

/**
 * The daemon's answers, of the table of routes. Where a request is from is looked at before anything else of it is.
 *
 * @param origins pages that may speak to it besides those of this machine
 */
export function answerOf(daemon: Daemon, origins: readonly string[]): Answer {
  const app = appOf(daemon)
  const door = doorkeeper(origins)
  return (request, bindings) => {
    const { origin = null, host = null } = bindings.incoming.headers
    // A socket has no address that a foreign site could give a name to.
    const why = door.refuses({ origin, host: bindings.via === "socket" ? "localhost" : host })
    if (why === undefined) return app.fetch(request, bindings)
    return foreign(daemon, why)
  }
}

/** A page that may not speak to us leaves one line in the record, and gets no further. */
async function foreign(daemon: Daemon, why: string): Promise<Response> {
  daemon.metrics.requests.inc({ route: "none", status: 403 })
  await daemon.recorder.written({
    caller: { id: "unknown" },
    on: "http",
    outcome: "refuse",
    refusal: { reason: why, code: "origin" },
  })
  return closing(new Problem("foreign-origin", why).response())
}

/** An answer after which its connection ends: a body was left unread on it, or the daemon stops. */
function closing(response: Response): Response {
  response.headers.set("connection", "close")
  return response
}

function appOf(daemon: Daemon): App {
  const app: App = new Hono()
  for (const name of ROUTE_NAMES) {
    const row = routeRow(name)
    const path = row.path.replaceAll(/\{(\w+)\}/g, ":$1")
    app.on(row.method, path, (context) => serve(daemon, name, row, context))
  }
  app.notFound((context) => strayed(daemon, context))
  return app
}

async function serve(daemon: Daemon, name: RouteName, row: RouteRow, context: Asking): Promise<Response> {
  const response = await answered(daemon, name, row, context).catch((cause: unknown) => troubled(daemon, name, cause))
  daemon.metrics.requests.inc({ route: row.path, status: response.status })
  // A connection that is kept open would keep the daemon from its end.
  return daemon.stopping ? closing(response) : response
}

async function answered(daemon: Daemon, name: RouteName, row: RouteRow, context: Asking): Promise<Response> {
  const { incoming, via } = context.env
  const header = (named: string): string | undefined => textOf(incoming, named)
  if (daemon.stopping && name !== "health")
    throw new Problem("stopping", "the daemon is stopping and takes no more work")
  const caller = row.scopes ? await callerOf(daemon.state.callers, header("authorization"), via) : LOCAL
  if (row.scopes) checkScope(caller, row.scopes)
  const settings = callSettings(header(SETTINGS_HEADER))
  const body = row.body?.read(await readBody(incoming, MAX_BODY))
  const asked: Asked = {
    caller,
    body,
    settings,
    header,
    params: context.req.param() as Readonly<Record<string, string>>,
    get query() {
      return new URL(context.req.url).searchParams
    },
    get request() {
      return context.req.raw
    },
    get signal() {
      return context.req.raw.signal
    },
  }
  return DO[name](asked as Asked<never>, daemon)
}

function textOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(", ") : value
}

/** What went wrong, for the client; a fault of ours is told in the log and not to it. */
function troubled(daemon: Daemon, route: RouteName, cause: unknown): Response {
  if (cause instanceof Problem) {
    const response = cause.response()
    return cause.code === "too-large" ? closing(response) : response
  }
  // An event or an option that does not fit its point.
  if (cause instanceof RangeError || cause instanceof TypeError) {
    if (FITS.test(cause.message)) return new Problem("bad-request", cause.message).response()
  }
  daemon.log.error({ route, err: cause instanceof Error ? cause : new Error(String(cause)) }, "a fault of our own")
  return new Problem("fault", "the request could not be answered; the daemon's log says more").response()
}

/** What the engine says of an event that does not fit, before any hook runs. */
const FITS = /^(the event|the point|unknown |an event|the option|`event)/

/** A path or a method that no route has. */
function strayed(daemon: Daemon, context: Asking): Response {
  const { method, path } = context.req
  daemon.metrics.requests.inc({ route: "none", status: 404 })
  const methods = ROUTE_NAMES.map(routeRow).flatMap((row) => (matches(row.path, path) ? [row.method] : []))
  if (methods.length === 0) return new Problem("not-found", `there is no route \`${path}\``).response()
  const allow = methods.join(", ")
  return new Problem("wrong-method", `\`${path}\` takes ${allow}, not ${method}`).response({ allow })
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith("{") || part === given[at])
}
