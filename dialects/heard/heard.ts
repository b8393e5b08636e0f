import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { gates } from "../ceiling.ts"
import type { MomentRow } from "../dialect.ts"

/** How a command ended that was written for a host. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What it said, as an output of ours; or why it counts for nothing. No `allow` has a place here. */
export type Heard = { readonly output: JsonObject } | { readonly failed: string }

/** The moment at which a command is asked. */
export interface Moment {
  /** the host's name of the event */
  readonly name: string
  readonly row: MomentRow
  readonly event: JsonObject
}

/** Reads a command's end as its host does. */
export type Hear = (moment: Moment, end: Ended) => Heard

export const NOTHING: Heard = Object.freeze({ output: {} })

/** What stands in an output, without what is not said. */
export function heard(output: JsonObject): Heard {
  return { output: Object.fromEntries(Object.entries(output).filter(([, value]) => value !== undefined)) }
}

/** The one JSON object that a text is; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A text that says something. */
export const words = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

/** A refusal, where the host can be stopped; elsewhere it is told. */
export function stopped({ row }: Moment, reason: string): JsonObject {
  if (row.refuse === "none" || row.refuse === "tells") return { advise: { text: reason, severity: "warning" } }
  return { refuse: reason }
}

/** All that is told, in order. */
export function told(...texts: readonly unknown[]): readonly string[] | undefined {
  const said = texts.map(words).filter((text) => text !== undefined)
  return said.length > 0 ? said : undefined
}

/**
 * Where something can be refused, a text that is no answer may have been meant for one: a greeting in front of the JSON
 * would make a guard say nothing at all.
 */
export function unread({ row }: Moment, text: string): Heard {
  return gates(row) && text.includes("{") ? { failed: "what it printed is not one JSON object" } : NOTHING
}
