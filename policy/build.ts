import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import { FILE_ACTIONS } from "./actions.ts"
import { complete } from "./complete.ts"
import { mayOf } from "./may.ts"
import type { Phase } from "./phases.ts"
import type { Action, Hook, Origin, When, WorkflowEdge, WorkflowStep } from "./policy.ts"
import type { PromptText } from "./prompt.ts"

/** A hook as a file holds it, checked by the schema. */
export interface HookText extends JsonObject {
  readonly on: string
  readonly id?: string
  readonly phase?: Phase
  readonly when?: When
  readonly effect?: Level
  readonly floor?: Level
  readonly failure?: "open" | "closed"
  readonly timeoutMs?: number
  readonly enabled?: boolean
  readonly recheck?: boolean
  readonly redact?: boolean
  readonly may?: readonly string[]
  readonly description?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The id of a hook that has none: its place in the list. */
export const defaultId = (index: number): string => `hooks[${index}]`

/** Whether an id is one that the file did not write. */
export const isDefaultId = (id: string): boolean => /^hooks\[\d+\]$/.test(id)

const READERS: { readonly [K in (typeof FILE_ACTIONS)[number]]: (value: never) => Action } = {
  rule: (rule: JsonObject) => ({ kind: "rule", rule }),
  run: (argv: readonly string[]) => ({ kind: "run", argv }),
  module: (path: string) => ({ kind: "module", path }),
  prompt: (prompt: string | PromptText) => ({ kind: "prompt", prompt }),
  plugin: (target: string) => ({ kind: "plugin", target }),
  workflow: ({ entry, steps }: { entry: string; steps: Readonly<Record<string, JsonObject>> }) => ({
    kind: "workflow",
    entry,
    steps: Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, stepOf(step)])),
  }),
}

/** The one action of a hook or step. */
export function actionOf(text: JsonObject): Action {
  const kind = FILE_ACTIONS.find((name) => Object.hasOwn(text, name))
  if (kind === undefined) throw new TypeError("a hook without an action has passed the checks")
  return READERS[kind](text[kind] as never)
}

function stepOf(step: JsonObject): WorkflowStep {
  const next = step.next as readonly WorkflowEdge[] | undefined
  const timeoutMs = step.timeoutMs as number | undefined
  return { action: actionOf(step), ...(next && { next }), ...(timeoutMs !== undefined && { timeoutMs }) }
}

/** A hook with its defaults filled in. The text has passed the schema and has exactly one action. */
export function buildHook(text: HookText, index: number, origin: Origin, base: string | undefined): Hook {
  const { id, phase, when, effect, floor, failure, timeoutMs, enabled, recheck, redact, description, cwd, env } = text
  const said = {
    id,
    phase,
    when,
    effect,
    floor,
    failure,
    timeoutMs,
    enabled,
    recheck,
    redact,
    description,
    cwd,
    env,
    base,
  }
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  return complete({ on: text.on, action: actionOf(text), may: mayOf(text.may), ...given }, defaultId(index), [origin])
}
