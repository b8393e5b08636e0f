import type { Json, JsonObject } from "../../effects/json.ts"
import type { AbortSignalLike } from "../../policy/policy.ts"
import type { EventName } from "./events.ts"

/** One tool call. A hook may give back another one that differs in `args` and `meta` alone. */
export interface ToolCall {
  /** the same for all hooks of one operation */
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
  /** the call's `_meta` */
  readonly meta?: JsonObject
}

/** What a tool answered: with an MCP client `{content, structuredContent?, isError?}`. */
export type ToolResult = JsonObject

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string
  readonly [key: string]: unknown
}

/** How a hook failed: it threw, it was ended with its call, it took too long, or it gave back what its event does not take. */
export type HookFailure = "raise" | "exit" | "timeout" | "bad_return"

/** What a call failed with. */
export interface CallError {
  /** `denied`, `hook`, `cancelled`, `timeout`, `transport`, `protocol`, or the code of any other error */
  readonly kind: string
  readonly message: string
  readonly reason?: "hook_denied" | "hook_failed" | "policy_denied"
  /** the id of the hook that denied or failed */
  readonly hook?: string
  readonly failure?: HookFailure
  readonly data?: unknown
}

/** What every hook gets last. */
export interface HookContext {
  readonly server: string
  /** the client that the hooks stand around, where there is one */
  readonly client?: unknown
  /** of the protocol that client and server speak */
  readonly era?: string
  /** whatever the host wants its hooks to know */
  readonly assigns: Readonly<Record<string, unknown>>
  /** who asks */
  readonly principal: JsonObject
  /** aborted when the hook's time is up and when the call is cancelled */
  readonly signal: AbortSignalLike
}

/** A verb alone, or with its value: `"cont"`, `{ deny: "why" }`, `["deny", "why"]`. */
type Said<Verb extends string, Value> = { readonly [V in Verb]: Value } | readonly [Verb, Value]
/** TypeScript takes `async () => "cont"` for one that answers any text; which text it is, is read when it answers. */
type Answer<A> = A | Promise<A | string>

export type PreToolCall = (
  call: ToolCall,
  context: HookContext,
) => Answer<"cont" | Said<"cont", ToolCall> | Said<"deny", Json> | Said<"halt", ToolResult>>
export type PostToolCall = (
  call: ToolCall,
  result: ToolResult,
  context: HookContext,
) => Answer<"cont" | Said<"cont", ToolResult>>
export type ToolCallFailed = (
  call: ToolCall,
  error: CallError,
  context: HookContext,
) => Answer<"cont" | Said<"recover", ToolResult>>
export type OnToolsListed = (
  tools: readonly ListedTool[],
  context: HookContext,
) => Answer<"cont" | Said<"cont", readonly ListedTool[]>>
export type OnResourceRead = (uri: string, context: HookContext) => Answer<"cont" | Said<"deny", Json>>
export type OnPromptGet = (
  name: string,
  args: Readonly<Record<string, string>>,
  context: HookContext,
) => Answer<"cont" | Said<"cont", Readonly<Record<string, string>>> | Said<"deny", Json>>

/** `"all"`, `"server/tool"` with `*`, a bare name, or a server and a regex for the name; all compare loosely. */
export type HookMatcher = "all" | "any" | (string & {}) | readonly [server: string, pattern: RegExpLike]

/** The part of RegExp that is used. */
export interface RegExpLike {
  readonly source: string
  readonly flags: string
}

export interface HookOptions {
  /** the hook's name in errors and telemetry; default: its event and place */
  readonly id?: string
  /** milliseconds; default 5000 */
  readonly timeout?: number
}

export interface IgnorableOptions extends HookOptions {
  /** `ignore`: a hook that fails is skipped */
  readonly on_error?: "fail" | "ignore"
}

/** A function, or an object and the name of one of its methods. */
type Callable<Fn> = Fn | readonly [object, string]
type Entry<Fn, Options = HookOptions> =
  | readonly [HookMatcher, Callable<Fn>]
  | readonly [HookMatcher, Callable<Fn>, Options]

/** Hooks as functions, by event. */
export interface ClientHooks {
  readonly pre_tool_call?: readonly Entry<PreToolCall>[]
  readonly post_tool_call?: readonly Entry<PostToolCall, IgnorableOptions>[]
  readonly tool_call_failed?: readonly Entry<ToolCallFailed, IgnorableOptions>[]
  readonly on_tools_listed?: readonly Entry<OnToolsListed>[]
  readonly on_resource_read?: readonly Entry<OnResourceRead>[]
  readonly on_prompt_get?: readonly Entry<OnPromptGet>[]
}

/** How one run of a hook ended. */
export type HookEnd =
  | { readonly status: "cont" | "rewrite" | "deny" | "halt" | "recover" }
  | { readonly reason: HookFailure }

/** One run of a hook. Nothing of what it was given, gave back or threw is in it. */
export interface HookRun {
  readonly event: EventName
  readonly hook: string
  readonly server: string
  readonly tool?: string
}

/** One run of a hook, over: `hook.stop` has a `status`, `hook.exception` a `reason`. */
export type HookTelemetry = HookRun & { readonly durationMs: number } & (
    | ({ readonly type: "hook.stop" } & Extract<HookEnd, { status: string }>)
    | ({ readonly type: "hook.exception" } & Extract<HookEnd, { reason: string }>)
  )
