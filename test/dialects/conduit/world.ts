import { createEngine, type NodeEngineOptions } from "../../../actions/engine.ts"
import type { ClientHooks } from "../../../dialects/conduit/types.ts"
import type { JsonObject } from "../../../effects/json.ts"
import type { HookFrame, Verdict } from "../../../frames/frames.ts"
import { parsePolicy } from "../../../policy/parse.ts"

export const policyOf = (yaml = "version: 1") => parsePolicy(yaml, { file: "test.yaml" })

export const engineWith = (hooks: ClientHooks, more: Partial<NodeEngineOptions> = {}) =>
  createEngine({ policy: policyOf(), hooks, ...more })

export const CALL = { server: "fs", tool: "read_file", args: { path: "a.txt" } }

/** One call with hooks around it, and what was sent. */
export async function called(
  hooks: ClientHooks,
  {
    event = CALL,
    answer = (): unknown => ({ content: [{ type: "text", text: "hello" }] }),
    ...more
  }: Partial<NodeEngineOptions> & { event?: JsonObject; answer?: (args: unknown) => unknown } = {},
) {
  const engine = await engineWith(hooks, more)
  const sent: unknown[] = []
  const verdict = await engine.around("call", event, (args) => {
    sent.push(args)
    return answer(args)
  })
  await engine.close()
  return { verdict, sent }
}

export const framesOf = (verdict: Verdict): HookFrame[] =>
  verdict.frames.filter((frame): frame is HookFrame => frame.type === "hook")

export const text = (said: string) => ({ content: [{ type: "text", text: said }] })

export const never = () => new Promise<never>(() => {})
