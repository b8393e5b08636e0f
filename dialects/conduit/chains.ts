import { copyJson, type JsonObject, sameJson } from "../../effects/json.ts"
import type { Output } from "../../effects/outputs.ts"
import { isPlain } from "../../effects/plain.ts"
import { onlyLessOrAnnotated } from "../../policy/listing.ts"
import { readSaid } from "./answer.ts"
import { type Chain, failClosed, type Host } from "./chain.ts"
import type { CompiledEntry } from "./compile.ts"
import { callErrorOf } from "./error.ts"
import type { EventName } from "./events.ts"
import { type Named, named } from "./matcher.ts"
import type { ListedTool, ToolCall } from "./types.ts"

/** The text that stands in the place of a result that is withheld. */
export const WITHHELD = "the result is withheld: a hook that had to look at it failed"

const WITHHELD_RESULT = Object.freeze({ content: [{ type: "text", text: WITHHELD }], isError: true })

/** Makes the chain of an event, for one moment. `id` is the operation's. */
type MakeChain = (event: JsonObject, id: string, host: Host) => Chain<never>

const concerned = (at: Named, entry: CompiledEntry): boolean => entry.matcher.test(at)

/** A copy for each hook: what it does to it is its own affair. */
const callOf = ({ server, tool, args, meta }: JsonObject, id: string): ToolCall => ({
  id,
  server: String(server),
  tool: String(tool),
  args: copyJson(args) as JsonObject,
  ...(meta === undefined ? {} : { meta: copyJson(meta) as JsonObject }),
})

const CONT = { status: "cont" } as const

const denied = (reason: unknown, { id }: CompiledEntry): Output => ({
  refuse: {
    reason: typeof reason === "string" && reason.trim() !== "" ? reason : `denied by the hook \`${id}\``,
    code: "hook_denied",
    data: { hook: id, reason: reason as never },
  },
})

function preToolCall(event: JsonObject, id: string, host: Host): Chain<ToolCall> {
  const { server, tool } = callOf(event, id)
  const at = named(server, tool)
  return {
    event: "pre_tool_call",
    server,
    tool,
    first: callOf(event, id),
    given: (entry, call) => (concerned(at, entry) ? [copyJson(call)] : undefined),
    async read(answer, call, entry) {
      const said = readSaid(answer)
      if (!said) return undefined
      const { verb, value } = said
      if (verb === "deny") return { status: "deny", output: denied(value, entry) }
      if (verb === "halt") {
        return isResult(value, host) ? { status: "halt", output: { apply: { result: value } } } : undefined
      }
      if (verb !== "cont") return undefined
      if (value === undefined || sameJson(value, call)) return CONT
      if (!isSameCall(value, call)) return undefined
      const fits = sameJson(value.args, call.args) || (await host.fits?.(server, tool, value.args)) !== false
      return fits ? { status: "rewrite", value } : undefined
    },
    rewritten: ({ args, meta }) => ({
      apply: { input: args, ...(sameJson(meta, event.meta) ? {} : { meta: meta ?? {} }) },
    }),
    failing: failClosed,
  }
}

const CALL_MEMBERS: ReadonlySet<string> = new Set(["id", "server", "tool", "args", "meta"])

/** Whether a hook gave back the same call, with other `args` and `meta` at most. */
const isSameCall = (value: unknown, { id, server, tool }: ToolCall): value is ToolCall =>
  isPlain(value) &&
  Object.keys(value).every((key) => CALL_MEMBERS.has(key)) &&
  value.id === id &&
  value.server === server &&
  value.tool === tool &&
  isPlain(value.args) &&
  (value.meta === undefined || isPlain(value.meta))

const isResult = (value: unknown, { isResult: fits }: Host): boolean =>
  value !== undefined && (fits === undefined || fits(value))

function postToolCall(event: JsonObject, id: string, host: Host): Chain<unknown> {
  const call = callOf(event, id)
  const at = named(call.server, call.tool)
  return {
    event: "post_tool_call",
    server: call.server,
    tool: call.tool,
    first: event.result,
    given: (entry, result) => (concerned(at, entry) ? [copyJson(call), copyJson(result)] : undefined),
    read(answer, result) {
      const said = readSaid(answer)
      if (said?.verb !== "cont") return undefined
      const { value } = said
      if (value === undefined || sameJson(value, result)) return CONT
      return isResult(value, host) ? { status: "rewrite", value } : undefined
    },
    rewritten: (result) => ({ apply: { result } }),
    // INVARIANT: what a hook could not look at is not shown, whatever the level (test/dialects/conduit/after.test.ts).
    failing: (failure, entry, mayApply) =>
      mayApply
        ? { apply: { result: WITHHELD_RESULT } }
        : { refuse: { reason: WITHHELD, code: "hook_failed", data: { hook: entry.id, failure } } },
  }
}

function toolCallFailed(event: JsonObject, id: string, host: Host): Chain<undefined> {
  const call = callOf(event, id)
  const error = callErrorOf(event.error as JsonObject)
  const at = named(call.server, call.tool)
  return {
    event: "tool_call_failed",
    server: call.server,
    tool: call.tool,
    first: undefined,
    given: (entry) => (concerned(at, entry) ? [copyJson(call), copyJson(error)] : undefined),
    read(answer) {
      const said = readSaid(answer)
      if (said?.verb === "cont" && said.value === undefined) return CONT
      if (said?.verb !== "recover" || !isResult(said.value, host)) return undefined
      return { status: "recover", output: { apply: { result: said.value } } }
    },
    rewritten: () => ({}),
    failing: () => undefined,
  }
}

function onToolsListed(event: JsonObject): Chain<readonly ListedTool[]> {
  const server = String(event.server)
  const listing = event.result as JsonObject
  const ofEntry = (entry: CompiledEntry, tools: readonly ListedTool[]) =>
    tools.filter(({ name }) => concerned(named(server, name), entry))
  return {
    event: "on_tools_listed",
    server,
    first: listing.tools as readonly ListedTool[],
    given(entry, tools) {
      const selected = ofEntry(entry, tools)
      return selected.length > 0 ? [copyJson(selected)] : undefined
    },
    read(answer, tools, entry) {
      const said = readSaid(answer)
      if (said?.verb !== "cont") return undefined
      const { value } = said
      if (value === undefined) return CONT
      const selected = ofEntry(entry, tools)
      if (sameJson(value, selected)) return CONT
      if (!onlyLessOrAnnotated({ tools: selected }, { tools: value })) return undefined
      return { status: "rewrite", value: merged(tools, selected, value as readonly ListedTool[]) }
    },
    rewritten: (tools) => ({ apply: { result: { ...listing, tools } } }),
    failing: failClosed,
  }
}

/** The tools in the server's order: those that a hook was shown as it gave them back, the others as they were. */
function merged(tools: readonly ListedTool[], selected: readonly ListedTool[], kept: readonly ListedTool[]) {
  const shown = new Set(selected.map(({ name }) => name))
  const back = new Map(kept.map((tool) => [tool.name, tool]))
  return tools.flatMap((tool) => {
    const one = shown.has(tool.name) ? back.get(tool.name) : tool
    return one ? [one] : []
  })
}

function onResourceRead(event: JsonObject): Chain<undefined> {
  const [server, uri] = [String(event.server), String(event.uri)]
  const at = named(server, uri)
  return {
    event: "on_resource_read",
    server,
    first: undefined,
    given: (entry) => (concerned(at, entry) ? [uri] : undefined),
    read(answer, _, entry) {
      const said = readSaid(answer)
      if (said?.verb === "deny") return { status: "deny", output: denied(said.value, entry) }
      return said?.verb === "cont" && said.value === undefined ? CONT : undefined
    },
    rewritten: () => ({}),
    failing: failClosed,
  }
}

function onPromptGet(event: JsonObject): Chain<JsonObject> {
  const [server, name] = [String(event.server), String(event.name)]
  const at = named(server, name)
  return {
    event: "on_prompt_get",
    server,
    first: (event.args ?? {}) as JsonObject,
    given: (entry, args) => (concerned(at, entry) ? [name, copyJson(args)] : undefined),
    read(answer, args, entry) {
      const said = readSaid(answer)
      if (said?.verb === "deny") return { status: "deny", output: denied(said.value, entry) }
      if (said?.verb !== "cont") return undefined
      const { value } = said
      if (value === undefined || sameJson(value, args)) return CONT
      if (!isPlain(value) || !Object.values(value).every((text) => typeof text === "string")) return undefined
      return { status: "rewrite", value }
    },
    rewritten: (args) => ({ apply: { input: args } }),
    failing: failClosed,
  }
}

/** How each event's chain is made. */
export const CHAINS = Object.freeze({
  pre_tool_call: preToolCall,
  post_tool_call: postToolCall,
  tool_call_failed: toolCallFailed,
  on_tools_listed: onToolsListed,
  on_resource_read: onResourceRead,
  on_prompt_get: onPromptGet,
} as unknown as Record<EventName, MakeChain>)
