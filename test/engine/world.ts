import { nodePorts } from "../../actions/ports.ts"
import type { JsonObject } from "../../effects/json.ts"
import { createEngine, type EngineOptions } from "../../engine/engine.ts"
import type { Ports } from "../../engine/ports.ts"
import type { HookFrame, Verdict } from "../../frames/frames.ts"
import { complete, type PartialHook } from "../../policy/complete.ts"
import type { HostFunction, Policy } from "../../policy/policy.ts"

export const EMPTY: Policy = {
  version: 1,
  autonomyMax: [],
  ceilings: [],
  hooks: [],
  script: {},
  servers: {},
  model: {},
  values: {},
  lists: {},
  needsRegex: false,
  warnings: [],
}

type Written = Partial<PartialHook> & { rule?: JsonObject; fn?: HostFunction }

/** A hook at `call` before, with an action, a rule or a function, and the given rest. */
export const hook = (id: string, { rule, fn, action, ...rest }: Written) =>
  complete(
    {
      on: "call",
      phase: "before",
      effect: "run",
      ...rest,
      action: action ?? (fn ? { kind: "function", fn } : { kind: "rule", rule: rule ?? {} }),
    },
    id,
    [{ layer: "project", source: "test.yaml", line: 1 }],
  )

export const engineOf = (
  hooks: readonly ReturnType<typeof hook>[],
  ports: Partial<Ports> = {},
  more: Partial<Omit<EngineOptions, "ports">> = {},
) => createEngine({ policy: { ...EMPTY, hooks }, ports: { ...nodePorts, actions: {}, ...ports }, ...more })

export const WRITE = { server: "fs", tool: "write_file", args: { path: "a.txt", content: "x" } }

export const hookFrames = (verdict: Verdict): HookFrame[] =>
  verdict.frames.filter((frame): frame is HookFrame => frame.type === "hook")

/** What settles when it is told to. */
export function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}
