import { isObject, type JsonObject } from "../../effects/json.ts"
import { unknownOption } from "../../engine/given.ts"

/** What hooks and policy are told of one request alone. */
export interface PerCall {
  /** who asks, in the place of the client's own `caller` */
  readonly caller?: JsonObject
  /** for the hooks' `context.assigns`, over the client's own */
  readonly assigns?: Readonly<Record<string, unknown>>
}

/** The member of request options that is ours; the SDK passes it over. */
const OURS = Symbol.for("detent.perCall")

const KEYS = Object.freeze({ caller: true, assigns: true } as const satisfies Record<keyof PerCall, true>)

/**
 * Request options that also say who asks: `client.callTool(params, perCall({ caller: { id: "ana" } }, { timeout: 5000 }))`.
 *
 * @throws TypeError on an unknown key.
 */
export function perCall<Options extends object = Record<never, never>>(about: PerCall, options?: Options): Options {
  for (const key of Object.keys(about)) {
    if (!Object.hasOwn(KEYS, key)) throw new TypeError(unknownOption(key, Object.keys(KEYS)))
  }
  return { ...options, [OURS]: about } as Options
}

/** What one request brings along. */
export interface Given extends PerCall {
  readonly signal: AbortSignal | undefined
}

/** Reads the last argument of a client's method, where options stand in both generations of the SDK. */
export function givenOf(args: readonly unknown[]): Given {
  const last = args.at(-1)
  if (!isObject(last)) return { signal: undefined }
  const { signal, [OURS]: about } = last as { readonly signal?: unknown; readonly [OURS]?: PerCall }
  return { ...about, signal: signal instanceof AbortSignal ? signal : undefined }
}
