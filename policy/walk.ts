import type { JsonObject } from "../effects/json.ts"
import type { HookText } from "./build.ts"
import type { Path } from "./places.ts"
import type { WorkflowEdge } from "./policy.ts"
import type { PromptText } from "./prompt.ts"

/** A value inside a hook's text, and where it stands. */
export interface Found<T> {
  readonly value: T
  readonly path: Path
}

/** Every JSON Logic rule of a hook: its own condition, computed values, and the conditions of a workflow's edges. */
export function* logicIn(hook: HookText, path: Path): Generator<Found<unknown>> {
  if (hook.when?.if !== undefined) yield { value: hook.when.if, path: [...path, "when", "if"] }
  if (hook.rule !== undefined) yield* computedIn(hook.rule, [...path, "rule"])
  for (const { step, at } of stepsIn(hook, path)) {
    if (step.rule !== undefined) yield* computedIn(step.rule, [...at, "rule"])
    const next = (step.next ?? []) as readonly WorkflowEdge[]
    for (const [index, edge] of next.entries()) {
      if (edge.if !== undefined) yield { value: edge.if, path: [...at, "next", index, "if"] }
    }
  }
}

/** The steps of a hook's workflow, if it has one. */
export function* stepsIn(
  hook: HookText,
  path: Path,
): Generator<{ readonly id: string; readonly step: JsonObject; readonly at: Path }> {
  const steps = (hook.workflow as { readonly steps: Readonly<Record<string, JsonObject>> } | undefined)?.steps ?? {}
  for (const [id, step] of Object.entries(steps)) yield { id, step, at: [...path, "workflow", "steps", id] }
}

/** Whether a value of a rule is computed: an object with `logic` alone. */
export const isComputed = (value: unknown): value is { readonly logic: unknown } =>
  typeof value === "object" && value !== null && Object.keys(value).length === 1 && Object.hasOwn(value, "logic")

function* computedIn(value: unknown, path: Path): Generator<Found<unknown>> {
  if (isComputed(value)) yield { value: value.logic, path: [...path, "logic"] }
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value))
      yield* computedIn(member, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

/** Every text of a hook's rules: placeholders in them stand for values. */
export function* textsIn(hook: HookText, path: Path): Generator<Found<string>> {
  for (const { step, at } of [{ step: hook as JsonObject, at: path }, ...stepsIn(hook, path)]) {
    if (step.rule !== undefined) yield* textsOf(step.rule, [...at, "rule"])
  }
}

/** Every prompt of a hook: its own, or those of its workflow's steps. */
export function* promptsIn(hook: HookText, path: Path): Generator<Found<string | PromptText>> {
  for (const { step, at } of [{ step: hook as JsonObject, at: path }, ...stepsIn(hook, path)]) {
    if (step.prompt !== undefined) yield { value: step.prompt as string | PromptText, path: [...at, "prompt"] }
  }
}

function* textsOf(value: unknown, path: Path): Generator<Found<string>> {
  if (typeof value === "string") yield { value, path }
  else if (typeof value === "object" && value !== null && !isComputed(value)) {
    for (const [key, member] of Object.entries(value))
      yield* textsOf(member, [...path, Array.isArray(value) ? Number(key) : key])
  }
}
