import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import { FILE_ACTIONS } from "./actions.ts"
import { mayOf } from "./may.ts"
import type { Phase } from "./phases.ts"
import type { Action, Hook, Origin, When, WorkflowEdge, WorkflowStep } from "./policy.ts"

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

export const DEFAULT_TIMEOUT_MS = 5000
export const OBSERVE_TIMEOUT_MS = 600_000

/** The id of a hook that has none: its place in the list. */
export const defaultId = (index: number): string => `hooks[${index}]`

/** Whether an id is one that the file did not write. */
export const isDefaultId = (id: string): boolean => /^hooks\[\d+\]$/.test(id)

const READERS: { readonly [K in (typeof FILE_ACTIONS)[number]]: (value: never) => Action } = {
  rule: (rule: JsonObject) => ({ kind: "rule", rule }),
  run: (argv: readonly string[]) => ({ kind: "run", argv }),
  module: (path: string) => ({ kind: "module", path }),
  prompt: (prompt: string | JsonObject) => ({ kind: "prompt", prompt }),
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

/** Fills in the defaults. The text has passed the schema and has exactly one action. */
export function buildHook(text: HookText, index: number, origin: Origin, base: string | undefined): Hook {
  const phase = text.phase ?? "observe"
  const observes = phase === "observe"
  return {
    id: text.id ?? defaultId(index),
    on: text.on,
    phase,
    ...(text.when && { when: text.when }),
    action: actionOf(text),
    effect: text.effect ?? (observes ? "off" : "advise"),
    floor: text.floor ?? "off",
    failure: text.failure ?? "open",
    timeoutMs: text.timeoutMs ?? (observes ? OBSERVE_TIMEOUT_MS : DEFAULT_TIMEOUT_MS),
    enabled: text.enabled ?? true,
    recheck: text.recheck ?? true,
    redact: text.redact ?? false,
    may: mayOf(text.may),
    ...(text.description !== undefined && { description: text.description }),
    ...(text.cwd !== undefined && { cwd: text.cwd }),
    ...(text.env && { env: text.env }),
    ...(base !== undefined && { base }),
    origins: [origin],
  }
}
