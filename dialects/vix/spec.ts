import { z } from "zod"
import { isObject, type JsonObject, parseJson, withoutMark } from "../../effects/json.ts"
import { nearest } from "../../policy/nearest.ts"
import { readDuration } from "./duration.ts"
import { isVixEvent, VIX_EVENT_NAMES, type VixEventName, vixEvent } from "./events.ts"
import { compileVixMatcher, matchesAll } from "./matcher.ts"
import { type VixWorkflow, workflowSchema } from "./workflow.ts"

/** Milliseconds that a hook gets where it names none. */
export const VIX_TIMEOUT_MS = Object.freeze({ sync: 5_000, async: 600_000 } as const)

/** The ways to say what a hook runs. */
export const VIX_ACTIONS = Object.freeze(["command", "workflow_id", "workflow", "prompt"] as const)

const string = z.string({ error: "must be a text" })
const flag = z.boolean({ error: "must be true or false" })

/** One `hook.json`. An empty text says as much as none. */
const specSchema = z.looseObject(
  {
    id: string.optional(),
    name: string.optional(),
    enabled: flag.optional(),
    trigger: z.looseObject(
      {
        event: z
          .string({ error: "must be an event" })
          .refine(isVixEvent, { error: ({ input }) => unknownEvent(input) }),
        matcher: string.optional(),
      },
      { error: "must be an object with `event`" },
    ),
    mode: z.enum(["sync", "async"], { error: "must be `sync` or `async`" }).optional(),
    blocking: flag.optional(),
    command: string.optional(),
    workflow_id: string.optional(),
    workflow: workflowSchema.nullish(),
    prompt: string.optional(),
    cwd: string.optional(),
    timeout: z.string({ error: "must be a text such as `5s`" }).optional(),
    created_by: string.optional(),
  },
  { error: "must be one JSON object" },
)

function unknownEvent(input: unknown): string {
  const near = nearest(String(input), VIX_EVENT_NAMES)
  const known = near === undefined ? `known are ${VIX_EVENT_NAMES.join(", ")}` : `did you mean \`${near}\`?`
  return `names no event: \`${String(input)}\`; ${known}`
}

/** What a hook of a folder runs. */
export type VixAction =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "workflow"; readonly workflow: VixWorkflow }
  | { readonly kind: "workflow_id"; readonly id: string }
  | { readonly kind: "prompt"; readonly prompt: string }

/** One hook of a folder, checked and with its defaults filled in. */
export interface VixHook {
  readonly id: string
  readonly name?: string
  readonly enabled: boolean
  readonly event: VixEventName
  readonly matcher: string
  readonly mode: "sync" | "async"
  readonly blocking: boolean
  readonly action: VixAction
  readonly cwd?: string
  readonly timeoutMs: number
  readonly createdBy?: string
}

export type SpecReading =
  | { readonly hook: VixHook; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] }

/**
 * Reads one `hook.json`.
 *
 * @param folder the name of its own folder: the id, where the spec says none
 */
export function readSpec(text: string, folder: string): SpecReading {
  const value = parsed(text)
  if (typeof value === "string") return { problems: [value] }
  const checked = specSchema.safeParse(value)
  if (!checked.success) return { problems: checked.error.issues.map(({ path, message }) => told(path, message)) }
  const spec = checked.data
  const { trigger, mode = "async", blocking = false, enabled = true } = spec
  const event = trigger.event as VixEventName
  const matcher = trigger.matcher ?? ""
  const timeoutMs = spec.timeout ? readDuration(spec.timeout) : VIX_TIMEOUT_MS[mode]
  const problems = [
    ...actionProblems(spec),
    ...blockingProblems(event, mode, blocking),
    ...matcherProblems(matcher),
    ...(timeoutMs && timeoutMs > 0
      ? []
      : [`\`timeout\` must be a time above 0, such as \`5s\`, not \`${spec.timeout}\``]),
  ]
  if (problems.length > 0) return { problems }
  const { name, cwd, created_by } = spec
  const hook: VixHook = {
    id: spec.id || folder,
    ...(name ? { name } : {}),
    enabled,
    event,
    matcher,
    mode,
    blocking,
    action: actionOf(spec),
    ...(cwd ? { cwd } : {}),
    timeoutMs: timeoutMs!,
    ...(created_by ? { createdBy: created_by } : {}),
  }
  return { hook, warnings: warningsOf(value, event, matcher) }
}

/** The object in a text, or the sentence that says why there is none. */
function parsed(text: string): JsonObject | string {
  if (withoutMark(text).trim() === "") return "it is empty; one JSON object is expected"
  try {
    const value = parseJson(text)
    return isObject(value) ? value : "it must be one JSON object"
  } catch (cause) {
    const { message } = cause as Error
    return message.startsWith("the key ") ? message : "it is no JSON"
  }
}

const told = (path: readonly PropertyKey[], message: string): string =>
  path.length === 0
    ? `it ${message}`
    : `\`${path.map(String).join(".")}\` ${message.replace(/^Unrecognized/, "has an unrecognized")}`

type Spec = z.infer<typeof specSchema>

const said = (spec: Spec): string[] => VIX_ACTIONS.filter((key) => Boolean(spec[key]))

function actionProblems(spec: Spec): string[] {
  const keys = said(spec)
  const known = VIX_ACTIONS.map((key) => `\`${key}\``).join(", ")
  if (keys.length === 0) return [`it has no action; one of ${known} is expected`]
  return keys.length === 1 ? [] : [`it has ${keys.map((key) => `\`${key}\``).join(" and ")}; exactly one action runs`]
}

function actionOf({ command, workflow_id, workflow, prompt }: Spec): VixAction {
  if (command) return { kind: "command", command }
  if (workflow) return { kind: "workflow", workflow }
  return workflow_id ? { kind: "workflow_id", id: workflow_id } : { kind: "prompt", prompt: prompt! }
}

const BLOCKABLE = VIX_EVENT_NAMES.filter((name) => vixEvent(name).blocks)

function blockingProblems(event: VixEventName, mode: "sync" | "async", blocking: boolean): string[] {
  if (!blocking) return []
  return [
    ...(mode === "sync" ? [] : ['`blocking` needs `"mode": "sync"`']),
    ...(vixEvent(event).blocks
      ? []
      : [`\`blocking\` is for ${BLOCKABLE.join(", ")}: nothing can be vetoed at ${event}`]),
  ]
}

function matcherProblems(matcher: string): string[] {
  try {
    compileVixMatcher(matcher)
    return []
  } catch (cause) {
    return [`\`trigger.matcher\`: ${(cause as Error).message}`]
  }
}

const TOP = Object.keys(specSchema.shape)
const TRIGGER = Object.keys(specSchema.shape.trigger.shape)

/** What is in force and yet may not be what was meant: vix itself passes over it without a word. */
function warningsOf(value: JsonObject, event: VixEventName, matcher: string): string[] {
  const trigger = isObject(value.trigger) ? value.trigger : {}
  const idle = vixEvent(event).matches === undefined && !matchesAll(matcher)
  return [
    ...strange(value, TOP, ""),
    ...strange(trigger, TRIGGER, "trigger."),
    ...(idle ? [`\`trigger.matcher\` has no effect: ${event} has nothing to match`] : []),
  ]
}

const strange = (value: JsonObject, known: readonly string[], prefix: string): string[] =>
  Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known)
      return `\`${prefix}${key}\` has no effect${near === undefined ? "" : `; did you mean \`${prefix}${near}\`?`}`
    })
