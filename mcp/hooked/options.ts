import type { NodeEngineOptions } from "../../actions/engine.ts"
import type { ClientHooks } from "../../dialects/conduit/types.ts"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { unknownOption } from "../../engine/given.ts"
import type { Frame } from "../../frames/frames.ts"
import type { Policy } from "../../policy/policy.ts"

/** What stands around a client, and whom it tells. */
export interface HookedOptions extends Pick<NodeEngineOptions, "settings" | "onTelemetry" | "ask" | "onObserved"> {
  /** the server's name, as matchers and policies write it: a text without a slash */
  readonly server: string
  /** functions by event */
  readonly hooks?: ClientHooks
  /** its hooks stand around the client too, before the functions */
  readonly policy?: Policy
  /** milliseconds for hooks that name no `timeout`; default 5000 */
  readonly hookTimeout?: number
  /** whatever the hooks shall know, as `context.assigns` */
  readonly assigns?: Readonly<Record<string, unknown>>
  /** who asks, as `context.principal` and as a policy's `caller`; default `{id: "local"}` */
  readonly caller?: JsonObject
  /** each frame of each request, as it happens */
  readonly onFrame?: (frame: Frame) => void
}

export const OPTIONS = Object.freeze({
  server: true,
  hooks: true,
  policy: true,
  hookTimeout: true,
  assigns: true,
  caller: true,
  settings: true,
  ask: true,
  onFrame: true,
  onObserved: true,
  onTelemetry: true,
} as const satisfies Record<keyof HookedOptions, true>)

/**
 * A misspelt option would count as absent: hooks that nobody runs, a policy that nobody heeds.
 *
 * @throws TypeError
 */
export function checkOptions(options: HookedOptions): void {
  if (!isObject(options)) throw new TypeError("a client needs options: at least the `server` that it speaks to")
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(unknownOption(name, Object.keys(OPTIONS)))
  }
  const { server, policy } = options as Partial<HookedOptions>
  if (typeof server !== "string" || !/^[^/]*[^/\s][^/]*$/.test(server)) {
    throw new TypeError("the `server` must have a name, a text without a slash: matchers and policies go by it")
  }
  if (policy !== undefined && !Array.isArray((policy as Partial<Policy>).hooks)) {
    throw new TypeError("the `policy` must be one that `parsePolicy` or `loadPolicy` has made")
  }
}
