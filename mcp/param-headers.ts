import { isObject } from "../effects/json.ts"

const KEYWORD = "x-mcp-header"
const PREFIX = "Mcp-Param-"

/** An argument that a tool wants as a header beside the body (revision 2026-07-28, over HTTP). */
export interface ParamHeader {
  readonly header: string
  readonly path: readonly string[]
  readonly isInteger: boolean
}

interface Found {
  readonly name: unknown
  readonly type: unknown
  readonly path: readonly string[]
  /** whether the way to it goes through `properties` alone */
  readonly plain: boolean
}

/** Keywords of JSON Schema whose value holds data, and no schema. */
const DATA: ReadonlySet<string> = new Set([KEYWORD, "default", "const", "enum", "examples", "required"])

function* findIn(schema: unknown, path: readonly string[], plain: boolean): Generator<Found> {
  if (Array.isArray(schema)) for (const one of schema) yield* findIn(one, path, false)
  if (!isObject(schema)) return
  if (Object.hasOwn(schema, KEYWORD)) yield { name: schema[KEYWORD], type: schema.type, path, plain }
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isObject(value)) {
      for (const [name, one] of Object.entries(value)) yield* findIn(one, [...path, name], plain)
    } else if (!DATA.has(key)) yield* findIn(value, path, false)
  }
}

const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"])
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const known = new WeakMap<object, readonly ParamHeader[]>()

/** What a tool's schema declares; nothing where one of its declarations is not as the revision has it: then none counts. */
export function paramHeadersOf(inputSchema: object | undefined): readonly ParamHeader[] {
  if (!inputSchema) return []
  const declared = known.get(inputSchema) ?? declaredIn(inputSchema)
  known.set(inputSchema, declared)
  return declared
}

function declaredIn(inputSchema: object): readonly ParamHeader[] {
  const found = [...findIn(inputSchema, [], true)]
  const names = found.map(({ name }) => String(name).toLowerCase())
  const isGood = ({ name, type, path, plain }: Found): boolean =>
    plain && path.length > 0 && typeof name === "string" && TOKEN.test(name) && TYPES.has(type)
  if (!found.every(isGood) || new Set(names).size < names.length) return []
  return found.map(({ name, type, path }) => ({ header: `${PREFIX}${name}`, path, isInteger: type === "integer" }))
}

/** The argument that a header stands for, as a text; undefined where there is none, or it has no form in a header. */
function argumentOf({ path }: ParamHeader, args: unknown): string | undefined {
  const value = path.reduce<unknown>(
    (node, name) => (isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined),
    args,
  )
  if (typeof value === "string" || typeof value === "boolean") return String(value)
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

/** Whether a text goes into a header as it is. */
const isPlain = (text: string): boolean => /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)

const encoded = (text: string): string =>
  isPlain(text) ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`

/** Undefined on what is marked as base64 and is none. */
function decoded(value: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  if (base64 === undefined) return value
  const bytes = Buffer.from(base64, "base64")
  const text = bytes.toString("utf8")
  return bytes.toString("base64") === base64 && Buffer.from(text, "utf8").equals(bytes) ? text : undefined
}

/** The headers that go with a call. */
export function headersFor(declared: readonly ParamHeader[], args: unknown): Readonly<Record<string, string>> {
  const given = declared.flatMap((one) => {
    const text = argumentOf(one, args)
    return text === undefined ? [] : [[one.header, encoded(text)] as const]
  })
  return Object.fromEntries(given)
}

/** Why the headers of a call do not fit its arguments; undefined where they do. */
export function mismatch(declared: readonly ParamHeader[], args: unknown, headers: Headers): string | undefined {
  for (const one of declared) {
    const wanted = argumentOf(one, args)
    if (wanted === undefined) continue
    const { header, isInteger } = one
    const given = headers.get(header)
    if (given === null) return `the header \`${header}\` is missing, and the arguments have its value`
    const text = decoded(given)
    if (text === undefined) return `the header \`${header}\` is no base64`
    const same = isInteger && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) === Number(wanted) : text === wanted
    if (!same) return `the header \`${header}\` says something else than the arguments`
  }
  return undefined
}
