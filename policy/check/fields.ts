import type { Problem } from "../issues.ts"
import type { Phase } from "../phases.ts"
import type { Path } from "../places.ts"
import { carries, isPoint, POINT_NAMES, type Point, phasesOf, pointRow } from "../points.ts"
import type { When } from "../policy.ts"
import { logicIn } from "../walk.ts"
import { variablesIn } from "./logic.ts"
import { at, type HookCheck } from "./subject.ts"

/** The members of `when` that are held against one field of the event. */
const MATCHED = [
  "server",
  "tool",
  "kind",
  "session",
  "uri",
  "agent",
  "source",
  "args",
] as const satisfies readonly (keyof When)[]

/** Every name that is a field of some event, or that `when` knows: not plain text by accident. */
export const FIELD_NAMES: readonly string[] = Object.freeze([
  ...new Set([...MATCHED, ...POINT_NAMES.flatMap((point) => Object.keys(pointRow(point).fields))]),
])

export const fieldsOf = (point: Point, phase: Phase): string[] =>
  Object.keys(pointRow(point).fields).filter((name) => carries(point, name, phase))

/** Why a field is not there, and where it would be. */
export function notCarried(point: Point, phase: Phase, field: string, path: Path, what: string): Problem {
  const phases = phasesOf(point).filter((other) => carries(point, field, other))
  const message = `${what}, which an event of \`${point}\` does not have`
  return phases.length > 0
    ? { path, message: `${message} in the phase \`${phase}\``, hint: `it is there in ${phases.join(" and ")}` }
    : { path, message, hint: `its fields are ${fieldsOf(point, phase).join(", ")}` }
}

/** The point of a hook whose events are known: a good point and phase, and not the bus. */
export function placeOf(on: string, phase: Phase): Point | undefined {
  return phase !== "observe" && isPoint(on) && phasesOf(on).includes(phase) ? on : undefined
}

export const whenOnMissingField: HookCheck = function* (subject) {
  const { on, phase, when } = subject.hook
  const point = placeOf(on, phase)
  if (point === undefined || when === undefined) return
  for (const field of MATCHED) {
    if (when[field] === undefined || carries(point, field, phase)) continue
    yield {
      at: "key",
      ...notCarried(point, phase, field, at(subject, "when", field), `\`when.${field}\` looks at \`${field}\``),
    }
  }
}

export const variableOnMissingField: HookCheck = function* (subject) {
  const { on, phase } = subject.hook
  const point = placeOf(on, phase)
  if (point === undefined) return
  for (const { value, path } of logicIn(subject.text, subject.path)) {
    if (path[2] === "workflow") continue
    for (const { path: variable, at: where } of variablesIn(value)) {
      const name = variable.split(".")[0]!
      if (carries(point, name, phase) || !FIELD_NAMES.includes(name)) continue
      yield notCarried(point, phase, name, [...path, ...where], `the condition reads \`${name}\``)
    }
  }
}
