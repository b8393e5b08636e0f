import { CallHooksError, callHooks } from "../../actions/call-hooks.ts"
import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import { sourcesOf } from "../../exec/in-force.ts"
import { runScript } from "../../exec/run.ts"
import { linesOfCall, type SourceChoice } from "../../exec/sources.ts"
import type { RunResult } from "../../exec/types.ts"
import type { Frame } from "../../frames/frames.ts"
import type { Hook, Policy } from "../../policy/policy.ts"
import { settingOf } from "../../policy/said.ts"
import { callThrough } from "../script-call.ts"
import type { Servers } from "../servers.ts"
import { execInputSchema, invalid, readExecArguments } from "./exec-arguments.ts"
import type { Gateway, OwnTool } from "./gateway.ts"

export interface OwnToolsOptions {
  /** where scripts run, and what they inherit */
  readonly place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }
  readonly engine: Pick<Engine, "around">
  readonly servers: Servers
  /** what is in force now */
  readonly policy: () => Policy
  /** which lines of a script are a caller's own, and its level; absent: as on the command line */
  readonly sources?: (script: JsonObject) => Pick<SourceChoice, "own" | "caller">
  readonly gateway: () => Gateway
  /** an engine with hooks of one call, after all others, over the same servers */
  readonly withHooks: (hooks: readonly Hook[]) => Promise<Pick<Engine, "around" | "close">>
}

/** The gateway's own tools: one that calls any tool by its pair, and, where the operator gives it out, one that runs code. */
export const ownTools = (options: OwnToolsOptions): readonly OwnTool[] =>
  settingOf(options.policy(), "mcp.exec") ? [callTool(options), execTool(options)] : [callTool(options)]

const callTool = ({ gateway, policy }: OwnToolsOptions): OwnTool => ({
  definition: {
    name: "detent_call",
    title: "Call a tool of any server",
    description: `Calls \`server/tool\`. The servers are ${Object.keys(policy().servers).join(", ")}.`,
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
  run: async ({ tool, arguments: args = {}, ...unknown }, leg) => {
    const slash = typeof tool === "string" ? tool.indexOf("/") : -1
    if (slash < 1 || slash === String(tool).length - 1 || !isObject(args)) {
      throw invalid("`tool` must be `server/tool`, and `arguments` an object")
    }
    const [stray] = Object.keys(unknown)
    if (stray !== undefined) throw invalid(`unknown: \`${stray}\`; what the tool takes stands in \`arguments\``)
    const pair = { server: String(tool).slice(0, slash), name: String(tool).slice(slash + 1) }
    return (await gateway().callPair(pair, args, {}, leg)).result
  },
})

const execTool = ({ place, engine, servers, policy, sources, withHooks }: OwnToolsOptions): OwnTool => ({
  definition: {
    name: "detent_exec",
    title: "Run TypeScript or JavaScript",
    description:
      "Runs the body of an async function in a process of its own; `return` gives the result. " +
      'It sees `call("server/tool", args)`, `emit`, `artifact` and `log`.',
    inputSchema: execInputSchema(),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  run: async (given, leg, options) => {
    const { code, args = [], script = {}, hooks = [] } = readExecArguments(given)
    const { cwd, env } = place
    const caller = options.caller ?? { id: "local" }
    const partOf = {}
    const said: Frame[] = []
    const onFrame = (frame: Frame): void => {
      if (OUTPUT.has(frame.type)) said.push(frame)
      options.onFrame?.(frame)
    }
    const onNotice = (notice: string): void => onFrame({ type: "log", level: "warn", args: [notice] })
    const event = { cwd }
    const own = hooks.length > 0 ? await withHooks(hooksOf(hooks, String(caller.id))) : undefined
    const running = runScript(
      own ?? engine,
      {
        code,
        args,
        cwd,
        env,
        event,
        sources: {
          ...sourcesOf(policy(), caller, { ...event, code }),
          ...sources?.({ ...event, code, args }),
          command: linesOfCall(script, "detent_exec"),
        },
        call: callThrough(own ?? engine, servers, { ...options, partOf }, onFrame),
      },
      { ...options, frames: true, stdin: "ignore", signal: leg.signal, caller, partOf, onFrame, onNotice },
    )
    return answerOf(await running.finally(() => own?.close()), said)
  },
})

/** Whoever may run code may have anything executed. */
function hooksOf(hooks: readonly JsonObject[], id: string): readonly Hook[] {
  try {
    return callHooks(hooks, { id, mayExec: true })
  } catch (cause) {
    if (!(cause instanceof CallHooksError)) throw cause
    const { message, hint } = cause
    throw invalid(hint === undefined ? message : `${message} (${hint})`)
  }
}

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
