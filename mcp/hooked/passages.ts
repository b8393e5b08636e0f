import { isObject, type JsonObject } from "../../effects/json.ts"
import { asResult, withBlocks, withMeta } from "../said.ts"
import { CallFailed } from "./failed.ts"
import { type Gate, type Passed, wire } from "./gate.ts"
import type { Known, Page } from "./known.ts"
import type { Given } from "./per-call.ts"

/** What a request passes through on its way. */
export interface Way {
  readonly server: string
  readonly gate: Gate
  readonly known: Known
  /** whether anything looks at calls before they are sent: only then the server's word on its tools is needed */
  readonly looks: boolean
}

type Send = (params: unknown) => Promise<unknown>
type Passage = (way: Way, params: JsonObject, given: Given, send: Send) => Promise<unknown>

/** The way of each method of the protocol that hooks stand around. */
export const PASSAGES: Readonly<Record<string, Passage>> = Object.freeze({
  "tools/call": call,
  "tools/list": list,
  "resources/read": read,
  "prompts/get": get,
})

/** A request that is answered in parts, or later, would pass the hooks with nothing to look at. */
export const unsupported = (what: string): CallFailed =>
  new CallFailed({ kind: "unsupported", message: `${what} cannot pass the hooks: it is not sent` })

async function call({ server, gate, known, looks }: Way, params: JsonObject, given: Given, send: Send) {
  const { name, arguments: args, _meta: meta, ...rest } = params
  if (rest.task !== undefined) throw unsupported("a call as a task")
  const tool = String(name)
  const annotations = looks ? await known.annotations(tool) : undefined
  const event = {
    server,
    tool,
    args: wire(args ?? {}),
    ...(meta === undefined ? {} : { meta: wire(meta) }),
    ...(annotations && { annotations }),
  }
  const { result, changed, said } = await gate.around("call", event, given, async (input, context) => {
    const answer = await send({
      ...rest,
      name: tool,
      ...withArguments(args, input),
      ...(context.meta === undefined ? {} : { _meta: context.meta }),
    })
    if (isObject(answer) && answer.isError === true) context.exit(1)
    return answer
  })
  return withBlocks(changed ? asResult(result) : (result as JsonObject), said)
}

async function list({ server, gate, known }: Way, params: JsonObject, given: Given, send: Send) {
  const result = (await send(params)) as Page & JsonObject
  // What is asked for by its method's name may be read by a schema of the host's own.
  if (Array.isArray(result.tools)) await known.learn(result, params?.cursor)
  return answerOf(await gate.listed({ server, result }, given))
}

async function read({ server, gate }: Way, params: JsonObject, given: Given, send: Send) {
  const { uri, ...rest } = params
  const event = { server, uri: String(uri) }
  return answerOf(await gate.around("resource.read", event, given, () => send({ ...rest, uri: event.uri })))
}

async function get({ server, gate }: Way, params: JsonObject, given: Given, send: Send) {
  const { name, arguments: args, ...rest } = params
  const event = { server, name: String(name), args: wire(args ?? {}) }
  const passed = await gate.around("prompt.get", event, given, (input) =>
    send({ ...rest, name: event.name, ...withArguments(args, input) }),
  )
  return answerOf(passed)
}

const answerOf = ({ result, said }: Passed): JsonObject => withMeta(result as JsonObject, said)

/** Arguments that were never given, and that no hook has added to, are not sent either. */
const withArguments = (given: unknown, input: JsonObject | undefined): JsonObject =>
  given === undefined && Object.keys(input ?? {}).length === 0 ? {} : { arguments: input }
