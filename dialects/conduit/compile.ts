import { isPlain } from "../../effects/plain.ts"
import { type Finding, PolicyError } from "../../policy/findings.ts"
import { nearest } from "../../policy/nearest.ts"
import { pointerOf } from "../../policy/places.ts"
import { EVENT_NAMES, EVENTS, type EventName, type EventRow, HOOK_TIMEOUT_MS, isEventName } from "./events.ts"
import { type CompiledMatcher, compileMatcher, MatcherProblem, RINGS } from "./matcher.ts"
import type { ClientHooks } from "./types.ts"

/** One hook, ready to be called. */
export interface CompiledEntry {
  readonly id: string
  readonly matcher: CompiledMatcher
  readonly fn: (...given: readonly unknown[]) => unknown
  /** milliseconds */
  readonly timeout: number
  readonly ignored: boolean
}

/** The hooks of each event that has any, in the order in which they run. */
export type CompiledHooks = Readonly<Partial<Record<EventName, readonly CompiledEntry[]>>>

/** The longest time that a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Compiles hooks given as functions.
 *
 * @param timeout milliseconds for hooks that name none
 * @throws PolicyError with everything that is wrong with them: each finding names the event and the entry; RangeError on a
 *   timeout that is none
 */
export function compileHooks(given: ClientHooks, timeout: number = HOOK_TIMEOUT_MS): CompiledHooks {
  if (!CHECKS.timeout.fits(timeout)) throw new RangeError(`\`hookTimeout\` must be ${CHECKS.timeout.want}`)
  const reader = new Reader(timeout)
  const compiled = reader.read(given)
  if (reader.findings.length > 0) throw new PolicyError(reader.findings)
  return compiled
}

class Reader {
  readonly findings: Finding[] = []
  readonly #timeout: number
  /** where each id was first said */
  readonly #ids = new Map<string, string>()

  constructor(timeout: number) {
    this.#timeout = timeout
  }

  read(given: unknown): CompiledHooks {
    if (!isPlain(given)) {
      this.#find(
        [],
        "the hooks must be an object: events and their lists of hooks",
        `known are ${EVENT_NAMES.join(", ")}`,
      )
      return {}
    }
    const compiled: Partial<Record<EventName, readonly CompiledEntry[]>> = {}
    for (const event of Object.keys(given)) {
      const entries = given[event]
      if (entries === undefined) continue
      if (!isEventName(event)) this.#find([event], `unknown event \`${event}\``, suggestion(event, EVENT_NAMES))
      else if (!Array.isArray(entries)) this.#find([event], `\`${event}\` must be a list of hooks`, FORM)
      else if (entries.length > 0) compiled[event] = inOrder(event, this.#list(event, entries))
    }
    return compiled
  }

  #list(event: EventName, entries: readonly unknown[]): CompiledEntry[] {
    return entries.flatMap((entry, index) => {
      const found = this.findings.length
      const compiled = this.#entry(event, entry, index)
      return compiled && this.findings.length === found ? [compiled] : []
    })
  }

  #entry(event: EventName, entry: unknown, index: number): CompiledEntry | undefined {
    const find: Find = (what, hint) => this.#find([event, index], `\`${event}[${index}]\`: ${what}`, hint)
    if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3) {
      find("it must be a list of a matcher, a function and, where there are any, options", FORM)
      return undefined
    }
    const [matcher, callable, options = {}] = entry as readonly unknown[]
    const compiled = matcherOf(matcher, EVENTS[event], find)
    const fn = functionOf(callable, event, find)
    if (!isPlain(options)) {
      find("its options must be an object", FORM)
      return undefined
    }
    checkOptions(options, event, find)
    const { id = `${event}[${index}]`, timeout = this.#timeout, on_error } = options as Options
    this.#claim(id, `${event}[${index}]`, find)
    return compiled && fn && { id, matcher: compiled, fn, timeout, ignored: on_error === "ignore" }
  }

  #claim(id: string, place: string, find: Find): void {
    const first = this.#ids.get(id)
    if (first === undefined) this.#ids.set(id, place)
    else find(`its id \`${id}\` is taken by \`${first}\``, "ids are unique over all events")
  }

  #find(path: readonly (string | number)[], message: string, hint?: string): void {
    const pointer = pointerOf(["hooks", ...path])
    this.findings.push({ severity: "error", message, ...(hint !== undefined && { hint }), file: "hooks", pointer })
  }
}

const FORM = '["fs/write_*", (call, context) => "cont", { id: "normalize" }]'

type Find = (what: string, hint?: string) => void
type Options = { readonly id?: string; readonly timeout?: number; readonly on_error?: "fail" | "ignore" }

const suggestion = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known)
  return near === undefined ? `known are ${known.join(", ")}` : `did you mean \`${near}\`?`
}

function matcherOf(matcher: unknown, { names }: EventRow, find: Find): CompiledMatcher | undefined {
  try {
    return compileMatcher(matcher, names)
  } catch (error) {
    if (!(error instanceof MatcherProblem)) throw error
    find(error.message, error.hint)
    return undefined
  }
}

function functionOf(callable: unknown, event: EventName, find: Find): CompiledEntry["fn"] | undefined {
  const { arity } = EVENTS[event]
  const [owner, method] = Array.isArray(callable) && callable.length === 2 ? callable : [undefined, callable]
  const fn: unknown = owner === undefined ? method : (owner as Record<string, unknown> | null)?.[String(method)]
  if (typeof fn !== "function") {
    find("it has no function", "a function, or [object, name of a method]")
    return undefined
  }
  if (fn.length > arity) find(`its function takes ${fn.length} arguments, and gets ${arity}`)
  return (...given) => fn.apply(owner, given)
}

const CHECKS: Readonly<Record<keyof Options, { readonly want: string; fits(value: unknown): boolean }>> = {
  id: { want: "a text", fits: (value) => typeof value === "string" && value.trim() !== "" },
  timeout: {
    want: "a whole number of milliseconds above 0",
    fits: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TIMEOUT_MS,
  },
  on_error: { want: "`fail` or `ignore`", fits: (value) => value === "fail" || value === "ignore" },
}

function checkOptions(options: Readonly<Record<string, unknown>>, event: EventName, find: Find): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(CHECKS, name)) find(`unknown option \`${name}\``, suggestion(name, Object.keys(CHECKS)))
    else if (value === undefined) continue
    else if (name === "on_error" && !EVENTS[event].ignorable) {
      find(`\`on_error\` is not for \`${event}\``, "only hooks of calls that are over may be skipped when they fail")
    } else if (!CHECKS[name as keyof Options].fits(value)) {
      find(`\`${name}\` must be ${CHECKS[name as keyof Options].want}`)
    }
  }
}

/** The onion: from its outermost ring inward, in declared order within a ring; or exactly the other way round. */
function inOrder(event: EventName, entries: readonly CompiledEntry[]): readonly CompiledEntry[] {
  const inward = RINGS.flatMap((ring) => entries.filter(({ matcher }) => matcher.ring === ring))
  return EVENTS[event].order === "inward" ? inward : inward.reverse()
}
