import { ProtocolError } from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Gateway } from "./gateway.ts"
import type { Leg } from "./leg.ts"
import type { Followed } from "./subscriptions.ts"

const INVALID_PARAMS = -32602

/** Serves one kind of request. @throws ProtocolError, or an OperationError of a server. */
export type Method = (gateway: Gateway, params: JsonObject, leg: Leg, followed: Followed) => Promise<JsonObject>

/** How grave a server's log message is, least to most. */
const LOG_LEVELS: ReadonlySet<unknown> = new Set("debug info notice warning error critical alert emergency".split(" "))

/** Where a listing says what is missing from it, and why. */
const DIAGNOSTICS = "detent/diagnostics"

const listed = (key: string, items: readonly JsonObject[], diagnostics: readonly string[]): JsonObject => ({
  [key]: items,
  ...(diagnostics.length > 0 && { _meta: { [DIAGNOSTICS]: diagnostics } }),
})

const list =
  (kind: "resources" | "templates", key: string): Method =>
  async ({ catalog }) => {
    const { entries, diagnostics } = await catalog.list(kind)
    return listed(
      key,
      entries.map(({ item }) => item),
      diagnostics,
    )
  }

/** Everything that a client may ask for, besides what belongs to the session itself. */
export const METHODS: Readonly<Record<string, Method>> = Object.freeze({
  "tools/list": async (gateway, _, leg) => {
    const { entries, diagnostics } = await gateway.tools(leg)
    return listed(
      "tools",
      entries.map(({ item }) => item),
      diagnostics,
    )
  },
  "tools/call": async (gateway, params, leg) => (await gateway.call(checked(params, "name"), leg)).result,
  "prompts/list": async ({ catalog }) => {
    const { entries, diagnostics } = catalog.named(await catalog.list("prompts"))
    return listed(
      "prompts",
      entries.map(({ item }) => item),
      diagnostics,
    )
  },
  "prompts/get": (gateway, params, leg) => gateway.prompt(checked(params, "name"), leg),
  "resources/list": list("resources", "resources"),
  "resources/templates/list": list("templates", "resourceTemplates"),
  "resources/read": (gateway, params, leg) => gateway.resource(checked(params, "uri"), leg),
  "resources/subscribe": async (_, params, __, followed) => {
    await followed.add(String(checked(params, "uri").uri))
    return {}
  },
  "resources/unsubscribe": async (_, params, __, followed) => {
    await followed.remove(String(checked(params, "uri").uri))
    return {}
  },
  "completion/complete": complete,
  "logging/setLevel": async (gateway, params) => {
    const { level } = params
    if (!LOG_LEVELS.has(level)) {
      throw new ProtocolError(INVALID_PARAMS, `\`params.level\` must be one of ${[...LOG_LEVELS].join(", ")}`)
    }
    await gateway.setLevel(level)
    return {}
  },
})

/** @throws ProtocolError where a member that must be a text is none, or the arguments are no object. */
export function checked(params: JsonObject, name: string): JsonObject {
  if (typeof params[name] !== "string") throw new ProtocolError(INVALID_PARAMS, `\`params.${name}\` must be a text`)
  if (params.arguments !== undefined && !isObject(params.arguments)) {
    throw new ProtocolError(INVALID_PARAMS, "`params.arguments` must be an object")
  }
  return params
}

/** A completion goes to the server of the prompt or the template that it is about. */
async function complete(gateway: Gateway, params: JsonObject, leg: Leg): Promise<JsonObject> {
  const { ref, _meta, ...rest } = params
  if (!isObject(ref)) throw new ProtocolError(INVALID_PARAMS, "`params.ref` must be an object")
  if (ref.type === "ref/prompt") {
    const { server, name } = await gateway.catalog.pair("prompts", String(ref.name))
    return gateway.pass(server, "completion/complete", { ...rest, ref: { ...ref, name } }, leg)
  }
  const server = await gateway.catalog.serverOf(String(ref.uri))
  return gateway.pass(server, "completion/complete", { ...rest, ref }, leg)
}
