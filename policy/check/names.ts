import type { Problem } from "../issues.ts"
import { nearest } from "../nearest.ts"
import type { Phase } from "../phases.ts"
import type { Path } from "../places.ts"
import { type Field, POINT_NAMES, type Point, pointRow } from "../points.ts"
import { logicIn } from "../walk.ts"
import { FIELD_NAMES, fieldsOf, placeOf } from "./fields.ts"
import { variablesIn } from "./logic.ts"
import { at, type HookCheck, type PolicyCheck } from "./subject.ts"

type Fields = Readonly<Record<string, Field>>

/** A name that no event has: a first name, or a member of an object that has no others. */
export interface UnknownName {
  readonly name: string
  readonly hint: string
}

/** What of a dotted path no event has; undefined where an event may have it all. */
export function unknownName(path: string, fields: Fields): UnknownName | undefined {
  const [root = "", member] = path.split(".")
  if (!Object.hasOwn(fields, root)) {
    const near = nearest(root, Object.keys(fields))
    const hint = near === undefined ? `its fields are ${Object.keys(fields).join(", ")}` : `did you mean \`${near}\`?`
    return { name: root, hint }
  }
  const { members, open } = fields[root]!
  if (member === undefined || members === undefined || open || Object.hasOwn(members, member)) return undefined
  const near = nearest(member, Object.keys(members))
  const hint =
    near === undefined ? `\`${root}\` has ${Object.keys(members).join(", ")}` : `did you mean \`${root}.${near}\`?`
  return { name: `${root}.${member}`, hint }
}

/** The fields of the events at a point, in a phase. */
export const fieldRows = (point: Point, phase: Phase): Fields =>
  Object.fromEntries(fieldsOf(point, phase).map((name) => [name, pointRow(point).fields[name]!]))

/** The fields of the events of all points: what a ceiling may be about. */
const ALL_FIELDS: Fields = Object.assign({}, ...POINT_NAMES.map((point) => pointRow(point).fields))

function* unknownIn(rule: unknown, path: Path, fields: Fields): Generator<Problem> {
  for (const { path: variable, at: where } of variablesIn(rule)) {
    const unknown = unknownName(variable, fields)
    // What events of other moments have is an error of its own.
    if (unknown === undefined || FIELD_NAMES.includes(unknown.name)) continue
    const message = `no event has \`${unknown.name}\`, so it is always null`
    yield { path: [...path, ...where], message, hint: unknown.hint }
  }
}

/** A variable that no event has is likely mistyped; it is null for ever. */
export const unknownVariable: HookCheck = function* (subject) {
  const { on, phase } = subject.hook
  const point = placeOf(on, phase)
  if (point === undefined) return
  for (const { value, path } of logicIn(subject.text, subject.path)) {
    if (path[2] !== "workflow") yield* unknownIn(value, path, fieldRows(point, phase))
  }
}

/** The same in a ceiling, which would never match and never say so. */
export const ceilingVariable: PolicyCheck = function* ({ ceilings }) {
  for (const ceiling of ceilings) {
    if (ceiling.if !== undefined) yield* unknownIn(ceiling.if, at(ceiling, "if"), ALL_FIELDS)
  }
}
