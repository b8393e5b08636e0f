import { isObject, type JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Answerer, CallerStore } from "../store/ports.ts"
import { SCOPE_NAMES, type Scope } from "../store/scopes.ts"
import { Problem } from "./problem.ts"

/** Who asks, as the daemon itself knows it. */
export interface Caller {
  readonly id: string
  /** the highest `hooks.autonomy` that it may say */
  readonly autonomy: Level
  readonly scopes: readonly Scope[]
  readonly env?: string
  /** how it is known: by a token, or only because it can open the socket */
  readonly by: "token" | "socket"
}

/** Whoever can open the socket is the user that the daemon runs as, and may do all that this user may. */
export const LOCAL: Caller = Object.freeze({ id: "local", autonomy: "run", scopes: SCOPE_NAMES, by: "socket" })

/**
 * Who sends a request. A token is asked for on TCP, always, and on the socket as soon as there is one: then who somebody
 * is does not rest on its own word any more.
 *
 * @throws Problem `unauthorized`
 */
export async function callerOf(
  store: CallerStore,
  authorization: string | undefined,
  via: "socket" | "tcp",
): Promise<Caller> {
  if (authorization === undefined) {
    if (via === "socket" && !(await anybody(store))) return LOCAL
    throw new Problem("unauthorized", "the request has no token", {
      hint: "`Authorization: Bearer TOKEN`; `detent caller add` makes one",
    })
  }
  const token = /^Bearer ([^\s]+)$/i.exec(authorization)?.[1]
  const record = token === undefined ? undefined : await store.find(token)
  if (!record) throw new Problem("unauthorized", "the token is nobody's, or was revoked")
  const { id, autonomy, scopes, env } = record
  return { id, autonomy, scopes, by: "token", ...(env === undefined ? {} : { env }) }
}

const anybody = async (store: CallerStore): Promise<boolean> =>
  (await store.list()).some(({ revokedAt }) => revokedAt === undefined)

/**
 * The caller as hooks see it.
 *
 * INVARIANT: what a caller says of itself stands under `claims` and nowhere else (test/daemon/callers.test.ts).
 */
export const callerEvent = ({ id, scopes, env }: Caller, claims: unknown): JsonObject & { readonly id: string } => ({
  id,
  scopes: [...scopes],
  ...(env === undefined ? {} : { env }),
  ...(claims === undefined ? {} : { claims }),
})

/**
 * Who a caller is that answers a question. Without tokens the person and the programs of this user are one: who it is that
 * answers is only said.
 */
export const answererOf = ({ id, by }: Caller): Answerer =>
  by === "token" ? { id, known: "authenticated" } : { id: "the local user", known: "self-reported" }

/** @throws Problem `missing-scope` where a caller has none of these scopes. */
export function checkScope({ id, scopes }: Caller, wanted: readonly Scope[]): void {
  if (wanted.length === 0 || wanted.some((scope) => scopes.includes(scope))) return
  const names = wanted.map((scope) => `\`${scope}\``).join(" or ")
  throw new Problem("missing-scope", `the caller \`${id}\` has no scope ${names}`, { scopes: wanted })
}

/** What a caller says of itself: an id, or an object. @throws Problem on anything else */
export function claimsOf(said: unknown): JsonObject | undefined {
  if (said === undefined || isObject(said)) return said
  if (typeof said === "string" && said !== "") return { id: said }
  throw new Problem("bad-request", "`caller` must be an object, or an id")
}
