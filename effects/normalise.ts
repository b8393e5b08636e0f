import type { Key } from "./keys.ts"
import type { Advice, Apply, Output, Proposal, Question, Refusal, Run } from "./outputs.ts"
import { isJson, isPlain, isText } from "./plain.ts"

/** A key's value in the object form of frames and verdicts, or the news that it does not fit. */
export type Normalised<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

type Fields = Readonly<Record<string, unknown>>
type ValueOf<K extends Key> = NonNullable<Output[K]>

/** What `apply` may replace in each phase: exactly one of the alternatives, `meta` only beside `input`. */
export const APPLY_MEMBERS: Readonly<Record<string, readonly (keyof Apply)[]>> = Object.freeze({
  before: ["input", "result", "merge", "target"],
  onSuccess: ["result", "merge"],
  onError: ["result", "error", "merge"],
})

/** What `run` may do in each phase: exactly one of these. */
export const RUN_MEMBERS: Readonly<Record<string, readonly (keyof Run)[]>> = Object.freeze({
  before: ["call", "argv", "module"],
  prefix: ["call", "argv", "module"],
  onSuccess: ["call", "argv", "module"],
  onError: ["retry", "call", "argv", "module"],
})

export const SEVERITIES = Object.freeze(["info", "warning", "error"] as const)

/** `server/tool`, both parts there. */
export const CALL_TARGET = /^[^/\s][^/]*\/\S/

const only = (value: Fields, members: readonly string[]): boolean =>
  Object.keys(value).every((key) => members.includes(key))

const maybe = (value: Fields, key: string, test: (member: unknown) => boolean): boolean =>
  !Object.hasOwn(value, key) || test(value[key])

/** A call's arguments are an object, a script's may be a list, a prompt is a text; the engine holds it against its point. */
const isInput = (value: unknown): boolean => isPlain(value) || Array.isArray(value) || isText(value)

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText)

const isMilliseconds = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

/** `{code?, message, …}` with a message that says something. */
const isError = (value: unknown): boolean => isPlain(value) && isText(value.message) && maybe(value, "code", isText)

function adviceOf(value: unknown): Advice | undefined {
  if (isText(value)) return { text: value }
  if (!isPlain(value) || !isText(value.text) || !only(value, ["text", "severity", "data"])) return undefined
  if (!maybe(value, "severity", (severity) => (SEVERITIES as readonly unknown[]).includes(severity))) return undefined
  return value as unknown as Advice
}

function advise(value: unknown): readonly Advice[] | undefined {
  const list = Array.isArray(value) ? value.map(adviceOf) : [adviceOf(value)]
  return list.length > 0 && !list.includes(undefined) ? (list as Advice[]) : undefined
}

function ask(value: unknown): Question | undefined {
  if (isText(value)) return { question: value }
  if (!isPlain(value) || !isText(value.question)) return undefined
  const fits =
    only(value, ["question", "choices", "timeoutMs"]) &&
    maybe(value, "choices", isTexts) &&
    maybe(value, "timeoutMs", isMilliseconds)
  return fits ? (value as unknown as Question) : undefined
}

function refuse(value: unknown): Refusal | undefined {
  if (isText(value)) return { reason: value }
  if (!isPlain(value) || !isText(value.reason) || !only(value, ["reason", "code", "data"])) return undefined
  return maybe(value, "code", isText) ? (value as unknown as Refusal) : undefined
}

function propose(value: unknown): Proposal | undefined {
  if (!isPlain(value) || Object.keys(value).length === 0) return undefined
  const fits = only(value, ["input", "result", "error", "script", "note"]) && maybe(value, "note", isText)
  return fits ? (value as Proposal) : undefined
}

const APPLY_VALUES = {
  input: isInput,
  error: isError,
  merge: isPlain,
  meta: isPlain,
  target: isPlain,
} satisfies Record<Exclude<keyof Apply, "result">, (value: unknown) => boolean>

function apply(value: unknown, phase: string): Apply | undefined {
  if (!isPlain(value)) return undefined
  const named = Object.keys(value).filter((key) => key !== "meta")
  const what = named[0] as keyof Apply | undefined
  if (named.length !== 1 || what === undefined || !APPLY_MEMBERS[phase]?.includes(what)) return undefined
  if (Object.hasOwn(value, "meta") && (what !== "input" || !isPlain(value.meta))) return undefined
  const fits = what === "result" || APPLY_VALUES[what](value[what])
  return fits ? (value as Apply) : undefined
}

const RUN_VALUES = {
  retry: (value) => value === true || (isPlain(value) && isInput(value.input) && only(value, ["input"])),
  call: (value) =>
    isPlain(value) &&
    typeof value.tool === "string" &&
    CALL_TARGET.test(value.tool) &&
    only(value, ["tool", "args"]) &&
    maybe(value, "args", isPlain),
  argv: (value) => Array.isArray(value) && isText(value[0]) && value.every((part) => typeof part === "string"),
  module: isText,
} satisfies Record<keyof Run, (value: unknown) => boolean>

function run(value: unknown, phase: string): Run | undefined {
  if (!isPlain(value)) return undefined
  const [what, ...more] = Object.keys(value) as (keyof Run)[]
  if (what === undefined || more.length > 0 || !RUN_MEMBERS[phase]?.includes(what)) return undefined
  return RUN_VALUES[what](value[what]) ? (value as Run) : undefined
}

const READERS = { advise, ask, refuse, propose, apply, run } satisfies {
  [K in Key]: (value: unknown, phase: string) => ValueOf<K> | undefined
}

/**
 * The value of one output key in the form that frames and verdicts show, if it fits its key and phase.
 *
 * Strict: nothing is coerced, no unknown member passes, no text may be blank, and everything in it is JSON without a
 * `__proto__` key. The answer may share objects with the value; the caller copies what it keeps.
 */
export function normalise<K extends Key>(key: K, value: unknown, phase: string): Normalised<ValueOf<K>> {
  if (!isJson(value)) return { ok: false }
  const fitted = READERS[key](value, phase) as ValueOf<K> | undefined
  return fitted === undefined ? { ok: false } : { ok: true, value: fitted }
}
