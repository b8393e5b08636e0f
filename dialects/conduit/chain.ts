import type { JsonObject } from "../../effects/json.ts"
import { reaches } from "../../effects/levels.ts"
import type { Output } from "../../effects/outputs.ts"
import type { HostContext } from "../../policy/policy.ts"
import type { CompiledEntry } from "./compile.ts"
import type { EventName } from "./events.ts"
import { runHook, type World } from "./run.ts"
import type { HookContext, HookFailure } from "./types.ts"

/** What hooks are told of where they stand, besides the event. */
export type Surroundings = Partial<Pick<HookContext, "client" | "era" | "assigns">>

/** Everything outside of the chains. */
export interface Host extends World {
  id(): string
  /** @param operation the object that all of one operation is part of */
  surroundings?(operation: object): Surroundings
  /** whether arguments fit what a tool is known to take; undefined: not known */
  fits?(server: string, tool: string, args: JsonObject): boolean | undefined | Promise<boolean | undefined>
  /** whether a value can stand for a tool's result; absent: any JSON value can */
  isResult?(value: unknown): boolean
}

/** One step of a chain: what an answer makes of the value, or how it ends the chain. */
export type Step<Value> =
  | { readonly status: "cont" }
  | { readonly status: "rewrite"; readonly value: Value }
  | { readonly status: "deny" | "halt" | "recover"; readonly output: Output }

/** How one event's chain goes, for one moment. */
export interface Chain<Value> {
  readonly event: EventName
  readonly server: string
  readonly tool?: string
  readonly first: Value
  /** what a hook is given before its context; undefined: it is not concerned */
  given(entry: CompiledEntry, value: Value): readonly unknown[] | undefined
  /** undefined: a bad return */
  read(answer: unknown, value: Value, entry: CompiledEntry): Step<Value> | undefined | Promise<Step<Value> | undefined>
  /** what a value that is not the first means */
  rewritten(value: Value): Output
  /** what a failing hook means; undefined: everything stays as it was */
  failing(failure: HookFailure, entry: CompiledEntry, mayApply: boolean): Output | undefined
}

const WHY: Readonly<Record<HookFailure, string>> = {
  raise: "it threw",
  exit: "its call was cancelled",
  timeout: "it took too long",
  bad_return: "it gave back what its event does not take",
}

export const failureText = (id: string, failure: HookFailure): string => `the hook \`${id}\` failed: ${WHY[failure]}`

/** A refusal of the whole, since a hook that had to have its say could not. */
export const failClosed = (failure: HookFailure, { id }: CompiledEntry): Output => ({
  refuse: { reason: failureText(id, failure), code: "hook_failed", data: { hook: id, failure } },
})

/** Runs the hooks of one chain one at a time, each feeding the next, and puts what they came to into one output. */
export async function runChain<Value>(
  chain: Chain<Value>,
  entries: readonly CompiledEntry[],
  host: Host,
  about: Omit<HookContext, "signal">,
  { signal, effective }: HostContext,
): Promise<Output | undefined> {
  const advise: { text: string; severity: "warning"; data: { hook: string; failure: HookFailure } }[] = []
  const ending = (output: Output = {}): Output => (advise.length > 0 ? { ...output, advise } : output)
  let value = chain.first
  for (const entry of entries) {
    const given = chain.given(entry, value)
    if (!given) continue
    const run = { event: chain.event, hook: entry.id, server: chain.server, ...(chain.tool && { tool: chain.tool }) }
    const read = (answer: unknown) => chain.read(answer, value, entry)
    const go = () => runHook<Step<Value>>(entry, (own) => [...given, { ...about, signal: own }], read, host, signal)
    const { end, read: step } = host.observe ? await host.observe(run, go) : await go()
    if (step === undefined) {
      const { reason } = end
      const output = entry.ignored ? undefined : chain.failing(reason, entry, reaches(effective, "apply"))
      if (output) return ending(output)
      advise.push({
        text: failureText(entry.id, reason),
        severity: "warning",
        data: { hook: entry.id, failure: reason },
      })
      if (!entry.ignored) return ending()
    } else if (step.status === "rewrite") value = step.value
    else if (step.status !== "cont") return ending(step.output)
  }
  return ending(value === chain.first ? undefined : chain.rewritten(value))
}
