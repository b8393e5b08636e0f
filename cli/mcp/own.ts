import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import { OperationError } from "../../engine/errors.ts"
import { sourcesOf } from "../../exec/in-force.ts"
import { runScript } from "../../exec/run.ts"
import type { RunResult } from "../../exec/types.ts"
import type { Frame } from "../../frames/frames.ts"
import type { Gateway, OwnTool } from "../../mcp/gateway/gateway.ts"
import { callThrough } from "../../mcp/script-call.ts"
import type { Servers } from "../../mcp/servers.ts"
import type { Policy } from "../../policy/policy.ts"
import { settingOf } from "../../policy/said.ts"
import type { Call } from "../command.ts"

/** As MCP says it: the request's parameters are none. */
const invalid = (message: string) => new OperationError({ code: "protocol", message, data: { code: -32602 } })

export interface OwnToolsOptions {
  readonly call: Call
  readonly engine: Engine
  readonly servers: Servers
  readonly policy: Policy
  readonly gateway: () => Gateway
}

/** The gateway's own tools: one that calls any tool by its pair, and, where the operator gives it out, one that runs code. */
export const ownTools = (options: OwnToolsOptions): readonly OwnTool[] =>
  settingOf(options.policy, "mcp.exec") ? [callTool(options), execTool(options)] : [callTool(options)]

const callTool = ({ gateway, policy }: OwnToolsOptions): OwnTool => ({
  definition: {
    name: "detent_call",
    title: "Call a tool of any server",
    description: `Calls \`server/tool\`. The servers are ${Object.keys(policy.servers).join(", ")}.`,
    inputSchema: {
      type: "object",
      properties: {
        tool: { type: "string", description: "`server/tool`", pattern: "^[^/]+/.+$" },
        arguments: { type: "object", description: "the tool's arguments" },
      },
      required: ["tool"],
      additionalProperties: false,
    },
  },
  run: async ({ tool, arguments: args = {} }, leg) => {
    const slash = typeof tool === "string" ? tool.indexOf("/") : -1
    if (slash < 1 || !isObject(args)) {
      throw invalid("`tool` must be `server/tool`, and `arguments` an object")
    }
    const pair = { server: String(tool).slice(0, slash), name: String(tool).slice(slash + 1) }
    return (await gateway().callPair(pair, args, {}, leg)).result
  },
})

const execTool = ({ call, engine, servers, policy }: OwnToolsOptions): OwnTool => ({
  definition: {
    name: "detent_exec",
    title: "Run TypeScript or JavaScript",
    description:
      "Runs the body of an async function in a process of its own; `return` gives the result. " +
      'It sees `call("server/tool", args)`, `emit`, `artifact` and `log`.',
    inputSchema: {
      type: "object",
      properties: {
        code: { type: "string", description: "the function's body" },
        args: { type: "array", items: {}, description: "the script's arguments" },
      },
      required: ["code"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  run: async ({ code, args = [] }, leg, options) => {
    if (typeof code !== "string" || !Array.isArray(args)) {
      throw invalid("`code` must be a text, and `args` a list")
    }
    const { io } = call
    const caller = options.caller ?? { id: "local" }
    const partOf = {}
    const said: Frame[] = []
    const onFrame = (frame: Frame): void => {
      if (OUTPUT.has(frame.type)) said.push(frame)
      options.onFrame?.(frame)
    }
    const event = { cwd: io.cwd }
    const result = await runScript(
      engine,
      {
        code,
        args,
        cwd: io.cwd,
        env: io.env,
        event,
        sources: sourcesOf(policy, caller, { ...event, code }),
        call: callThrough(engine, servers, { ...options, partOf }, onFrame),
      },
      { ...options, frames: true, stdin: "ignore", signal: leg.signal, caller, partOf, onFrame },
    )
    return answerOf(result, said)
  },
})

/** What a script said on its way. */
const OUTPUT: ReadonlySet<string> = new Set(["stdout", "stderr", "log", "emit", "artifact"])

/** What a script came to, as a model reads it: what it said, then its result or why there is none. */
function answerOf({ value, error, exitCode }: RunResult, said: readonly Frame[]): JsonObject {
  const output = said.map((frame) => JSON.stringify(frame)).join("\n")
  const last = error ? `${error.code}: ${error.message}` : (JSON.stringify(value) ?? "the script gave no result")
  const texts = output === "" ? [last] : [output, last]
  return {
    content: texts.map((text) => ({ type: "text", text })),
    ...(exitCode !== 0 && { isError: true }),
    ...(error?.code === "refused" && { _meta: { "detent/refusal": { reason: error.message } } }),
  }
}
