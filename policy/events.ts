import type { JsonObject } from "../effects/json.ts"
import { faultIn, isPlain } from "../effects/plain.ts"
import { nearest } from "./nearest.ts"
import type { Phase } from "./phases.ts"
import { carries, type Field, type FieldType, isPoint, POINT_NAMES, type Point, phasesOf, pointRow } from "./points.ts"

const FITS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  object: isPlain,
  list: (value) => Array.isArray(value),
  any: () => true,
}

const NOUNS: Readonly<Record<FieldType, string>> = {
  text: "a text",
  boolean: "true or false",
  object: "an object",
  list: "a list",
  any: "a value",
}

const suggest = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known)
  return near === undefined ? `; known are ${known.join(", ")}` : `; did you mean \`${near}\`?`
}

/**
 * What is wrong with an event: one sentence each, none for a good one. Hand-written over the points table, because a
 * schema library would cost more than the whole start of a process.
 */
export function checkEvent(event: unknown): string[] {
  if (!isPlain(event)) return ["an event must be an object"]
  const { on, phase } = event
  if (on === undefined) return ["an event needs `on`, the point that it happens at"]
  if (!isPoint(on)) return [`unknown point \`${String(on)}\`${suggest(String(on), POINT_NAMES)}`]
  const phases = phasesOf(on)
  if (phase === undefined) return ["an event needs `phase`"]
  if (!(phases as readonly unknown[]).includes(phase)) {
    return [`the point \`${on}\` has no phase \`${String(phase)}\`${suggest(String(phase), phases)}`]
  }
  return [
    ...missingFields(on, event),
    ...Object.keys(event).flatMap((name) => checkField(on, phase as Phase, name, event)),
  ]
}

/** What one phase of a point takes: a test for each field, and the fields that must be there. */
interface Shape {
  readonly fields: ReadonlyMap<string, (value: unknown) => boolean>
  readonly required: readonly string[]
}

const shapes: { [P in Point]?: { [K in Phase]?: Shape } } = {}

function shapeOf(point: Point, phase: Phase): Shape {
  let ofPoint = shapes[point]
  if (ofPoint === undefined) {
    ofPoint = {}
    shapes[point] = ofPoint
  }
  let shape = ofPoint[phase]
  if (shape === undefined) {
    const carried = Object.entries(pointRow(point).fields).filter(([name]) => carries(point, name, phase))
    // Whoever fires has said `on` and `phase` beside the event.
    const required = carried.filter(([name, field]) => field.required && name !== "on" && name !== "phase")
    shape = { fields: new Map(carried.map(testOf)), required: required.map(([name]) => name) }
    ofPoint[phase] = shape
  }
  return shape
}

/** Whether a value is of a type, and JSON can carry all that is in it. */
const CARRIED: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: FITS.text,
  boolean: FITS.boolean,
  object: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && faultIn(value) === undefined,
  list: (value) => Array.isArray(value) && faultIn(value) === undefined,
  any: (value) => faultIn(value) === undefined,
}

const testOf = ([name, field]: readonly [string, Field]): [string, (value: unknown) => boolean] => {
  const carried = CARRIED[field.type]
  const narrow = field.members !== undefined || field.values !== undefined
  return [
    name,
    (value) => value === undefined || (carried(value) && (!narrow || problemsOfValue(name, field, value).length === 0)),
  ]
}

/**
 * Whether `checkEvent` finds nothing wrong with an event of this point and phase, and JSON can carry it. In a fraction
 * of its time: this is asked of every event that is fired.
 */
export function fitsPoint(point: Point, phase: Phase, event: JsonObject): boolean {
  const { fields, required } = shapeOf(point, phase)
  for (const name of Object.keys(event)) if (fields.get(name)?.(event[name]) !== true) return false
  for (const name of required) if (event[name] === undefined) return false
  return true
}

const missingFields = (point: Point, event: JsonObject): string[] =>
  Object.entries(pointRow(point).fields).flatMap(([name, field]) =>
    field.required && event[name] === undefined ? [`an event of \`${point}\` needs \`${name}\``] : [],
  )

function checkField(point: Point, phase: Phase, name: string, event: JsonObject): string[] {
  const fields = pointRow(point).fields
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) {
    return [`an event of \`${point}\` has no field \`${name}\`${suggest(name, Object.keys(fields))}`]
  }
  if (!carries(point, name, phase)) return [`an event of \`${point}\` has no field \`${name}\` in the phase ${phase}`]
  return event[name] === undefined ? [] : problemsOfValue(name, field, event[name])
}

function problemsOfValue(name: string, field: Field, value: unknown): string[] {
  if (!FITS[field.type](value)) return [`\`${name}\` must be ${NOUNS[field.type]}`]
  if (field.values && !field.values.includes(value as string)) {
    return [`unknown ${name} \`${value}\`${suggest(String(value), field.values)}`]
  }
  return field.members && isPlain(value) ? checkMembers(name, field, value) : []
}

function checkMembers(name: string, field: Field, value: JsonObject): string[] {
  const members = field.members ?? {}
  return Object.keys(value).flatMap((key) => {
    const type = Object.hasOwn(members, key) ? members[key] : undefined
    if (type !== undefined) return FITS[type](value[key]) ? [] : [`\`${name}.${key}\` must be ${NOUNS[type]}`]
    return field.open ? [] : [`\`${name}\` has no member \`${key}\`${suggest(key, Object.keys(members))}`]
  })
}

const SCHEMAS: Readonly<Record<FieldType, JsonObject>> = {
  text: { type: "string" },
  boolean: { type: "boolean" },
  object: { type: "object" },
  list: { type: "array" },
  any: {},
}

function fieldSchema(field: Field): JsonObject {
  const values = field.values && { enum: [...field.values] }
  const base = { ...SCHEMAS[field.type], ...values, description: field.doc }
  if (field.members === undefined) return base
  const properties = Object.fromEntries(Object.entries(field.members).map(([name, type]) => [name, SCHEMAS[type]]))
  return { ...base, properties, additionalProperties: field.open === true }
}

/**
 * The JSON Schema (draft 2020-12) of what a hook receives at a point, in one phase or in any. It takes exactly the
 * events that `checkEvent` finds nothing wrong with.
 */
export function eventJsonSchema(point: Point, phase?: Phase): JsonObject {
  const fields = Object.entries(pointRow(point).fields).filter(([name]) => carries(point, name, phase))
  const properties: JsonObject = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)]))
  properties.on = { const: point, description: pointRow(point).fields.on?.doc }
  properties.phase = {
    enum: phase === undefined ? phasesOf(point) : [phase],
    description: pointRow(point).fields.phase?.doc,
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: phase === undefined ? point : `${point} ${phase}`,
    description: pointRow(point).doc,
    type: "object",
    properties,
    required: fields.filter(([, field]) => field.required).map(([name]) => name),
    additionalProperties: false,
  }
}
