import { hash } from "node:crypto"
import { canonicalJson } from "../../effects/json.ts"
import { StoreError } from "../errors.ts"
import type { AuditRow, Decision } from "./row.ts"

/** A row as it is kept: the canonical JSON of all but its hash, and that hash. */
export interface Sealed {
  readonly seq: number
  readonly body: string
  readonly hash: string
}

/** A decision's members, each as canonical JSON: all of a row that does not depend on its place. */
export type Members = readonly (readonly [name: string, text: string])[]

const PLACE: readonly string[] = ["seq", "time", "prev", "hash"]

export const sha256 = (text: string): string => hash("sha256", text)

/** @throws TypeError where something in it is no JSON. */
export const membersOf = (decision: Decision | Pick<AuditRow, "recovered">): Members =>
  Object.entries(decision)
    .filter(([name, value]) => value !== undefined && !PLACE.includes(name))
    .map(([name, value]) => [name, canonicalJson(value)])

/** Puts a decision in its place: the hash covers what was decided, when, which row it is and what it follows. */
export function seal(members: Members, seq: number, time: string, prev: string): Sealed {
  const all = [
    ...members,
    ["prev", `"${prev}"`] as const,
    ["seq", String(seq)] as const,
    ["time", `"${time}"`] as const,
  ]
  const body = `{${all
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`
  return { seq, body, hash: sha256(body) }
}

/** A row as it is told. @throws StoreError where the body was damaged */
export function unseal({ seq: place, body, hash: own }: Sealed): AuditRow {
  try {
    const { seq, time, ...rest } = JSON.parse(body) as AuditRow
    return { ...rest, seq, time, hash: own }
  } catch (cause) {
    throw new StoreError(`row ${place} cannot be read: it was changed`, "`detent audit verify` says what holds", cause)
  }
}
