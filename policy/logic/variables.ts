import { pathReader, readPath } from "../../effects/own.ts"
import { type Build, evaluateAll, type Node, operandAt, type Run, type Test } from "./node.ts"

/** undefined, null and the empty text stand for the whole of the data. */
const isWhole = (path: unknown): boolean => path === undefined || path === null || path === ""

/** The value at a path that is only known at run time; undefined where it is missing. */
const look = (data: unknown, path: unknown): unknown => (isWhole(path) ? data : readPath(data, String(path)))

const buildVar: Build = (operands, compile) => {
  const path = operandAt(operands, 0, compile)
  const fallback = operandAt(operands, 1, compile)
  const name = fixedPath(path)
  if (name === undefined) return computedVar(path, fallback)
  const read = pathReader(name)
  if (!fallback.constant) return { run: withDefault(read, fallback.run) }
  if (name === "") return { run: read }
  return fallback.constant.value === undefined ? { run: orNull(read), read } : { run: withDefault(read, fallback.run) }
}

/** The path of a `var` where it is a simple value of the rule. */
function fixedPath({ constant }: Node): string | undefined {
  if (constant === undefined) return undefined
  if (isWhole(constant.value)) return ""
  return typeof constant.value === "object" ? undefined : String(constant.value)
}

const orNull = (read: Run): Run => {
  return (data) => {
    const value = read(data)
    return value === undefined ? null : value
  }
}

const withDefault = (read: Run, fallback: Run): Run => {
  return (data) => {
    const other = fallback(data)
    const value = read(data)
    return value !== undefined ? value : other === undefined ? null : other
  }
}

const computedVar = (path: Node, fallback: Node): Node => ({
  run(data) {
    const at = path.run(data)
    const other = fallback.run(data)
    if (isWhole(at)) return data
    const value = readPath(data, String(at))
    return value !== undefined ? value : other === undefined ? null : other
  },
})

/** Whether a path is missing. A list stands for a path and its default; nothing of the data is ever run as a rule. */
function isMissing(data: unknown, key: unknown): boolean {
  const [path, other] = Array.isArray(key) ? key : [key]
  let value = look(data, path)
  if (value === undefined && !isWhole(path)) value = other === undefined ? null : other
  return value === null || value === ""
}

const missingOf = (data: unknown, keys: readonly unknown[]): unknown[] => keys.filter((key) => isMissing(data, key))

const buildMissing: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  const run: Run = (data) => {
    const keys = evaluateAll(nodes, data)
    return missingOf(data, Array.isArray(keys[0]) ? keys[0] : keys)
  }
  if (!nodes.every((node) => node.constant)) return { run }
  const values = nodes.map((node) => node.constant?.value)
  const keys: readonly unknown[] = Array.isArray(values[0]) ? values[0] : values
  if (!keys.every((key) => typeof key === "string" && key !== "")) return { run }
  const present = allPresent(keys.map((key) => pathReader(key as string)))
  return { run: (data) => missingOf(data, keys), test: (data) => !present(data), present }
}

function allPresent(readers: readonly Run[]): Test {
  const there = (value: unknown): boolean => value !== undefined && value !== null && value !== ""
  const [a, b, c, ...more] = readers
  if (!a) return () => true
  if (!b) return (data) => there(a(data))
  if (!c) return (data) => there(a(data)) && there(b(data))
  if (more.length === 0) return (data) => there(a(data)) && there(b(data)) && there(c(data))
  return (data) => readers.every((read) => there(read(data)))
}

const buildMissingSome: Build = (operands, compile) => {
  const need = operandAt(operands, 0, compile)
  const options = operandAt(operands, 1, compile)
  return {
    run(data) {
      const least = need.run(data) as number
      const keys = options.run(data)
      if (keys === undefined || keys === null) throw new TypeError("`missing_some` needs a list of paths")
      const missing = missingOf(data, Array.isArray(keys) ? (Array.isArray(keys[0]) ? keys[0] : keys) : [keys])
      return (keys as readonly unknown[]).length - missing.length >= least ? [] : missing
    },
  }
}

export const VARIABLES = Object.freeze({ var: buildVar, missing: buildMissing, missing_some: buildMissingSome })
