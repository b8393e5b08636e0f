import { isObject, type JsonObject } from "../../effects/json.ts"

/** What a workflow's texts can name. */
export interface Scope {
  readonly workflow: { readonly prompt: string }
  readonly event: JsonObject
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>
  readonly params: Readonly<Record<string, unknown>>
}

export const SCOPE_ROOTS = Object.freeze(["workflow", "event", "steps", "params"] as const)

const PLACEHOLDER = /\$\((workflow|event|steps|params)((?:\.[\w-]+)+)\)/g

/** A value as a text: a text as it is, nothing as no text, anything else as JSON. */
export const asText = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** What a path stands for, own members only; undefined where there is nothing. */
function valueAt(root: string, path: string, scope: Scope): unknown {
  let value: unknown = scope[root as keyof Scope]
  for (const name of path.slice(1).split(".")) {
    const list = Array.isArray(value) && /^\d+$/.test(name)
    if (!list && !(isObject(value) && Object.hasOwn(value, name))) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}

/** Replaces each `$(root.path)`; any other `$(…)` is left as it is. What is put in is not read again. */
export const expand = (text: string, scope: Scope): string =>
  text.replace(PLACEHOLDER, (_, root: string, path: string) => asText(valueAt(root, path, scope)))

/** The same through an object: a text that is nothing but one placeholder keeps its value's own type. */
export function expandValue(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") {
    const [whole, root, path] = new RegExp(`^${PLACEHOLDER.source}$`).exec(value) ?? []
    return whole === undefined ? expand(value, scope) : (valueAt(root!, path!, scope) ?? null)
  }
  if (Array.isArray(value)) return value.map((item) => expandValue(item, scope))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandValue(member, scope)]))
}

export interface ShellText {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * A shell command whose placeholders are variables: what a model wrote must never be read as shell.
 *
 * INVARIANT: no value stands in the command's text (test/dialects/vix/expand.test.ts).
 */
export function expandShell(command: string, scope: Scope): ShellText {
  const env: Record<string, string> = {}
  let read = 0
  let quoted = false
  const written = command.replace(PLACEHOLDER, (whole, root: string, path: string, at: number) => {
    quoted = inSingleQuotes(command.slice(read, at), quoted)
    read = at + whole.length
    const name = `VIX_VALUE_${Object.keys(env).length + 1}`
    env[name] = asText(valueAt(root, path, scope))
    // Between single quotes a variable would stay its own name.
    return quoted ? `'"\${${name}}"'` : `\${${name}}`
  })
  return { command: written, env }
}

/** Whether the text ends between single quotes, where it began there or not. */
function inSingleQuotes(text: string, began: boolean): boolean {
  let single = began
  let double = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === "\\" && !single) at++
    else if (char === '"' && !single) double = !double
    else if (char === "'" && !double) single = !single
  }
  return single
}
