import { asTest, type Build, type Node, operandAt, type Run, tested } from "./node.ts"

/** The list and the rule that is held against each of its items, which is the rule's whole data. */
const scoped = (operands: readonly unknown[], compile: (rule: unknown) => Node): { list: Run; body: Node } => ({
  list: operandAt(operands, 0, compile).run,
  body: operandAt(operands, 1, compile),
})

const buildMap: Build = (operands, compile) => {
  const { list, body } = scoped(operands, compile)
  const { run } = body
  return {
    run(data) {
      const items = list(data)
      return Array.isArray(items) ? items.map((item) => run(item)) : []
    },
  }
}

const buildFilter: Build = (operands, compile) => {
  const { list, body } = scoped(operands, compile)
  const test = asTest(body)
  return {
    run(data) {
      const items = list(data)
      return Array.isArray(items) ? items.filter((item) => test(item)) : []
    },
  }
}

const buildReduce: Build = (operands, compile) => {
  const { list, body } = scoped(operands, compile)
  const initial = operands[2] === undefined ? () => null : compile(operands[2]).run
  const { run } = body
  return {
    run(data) {
      const items = list(data)
      const start = initial(data)
      return Array.isArray(items) ? items.reduce((accumulator, current) => run({ current, accumulator }), start) : start
    },
  }
}

const NO_ITEMS: readonly unknown[] = []
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NO_ITEMS)

const buildSome: Build = (operands, compile) => {
  const { list, body } = scoped(operands, compile)
  const test = asTest(body)
  return tested((data) => {
    const items = itemsOf(list(data))
    for (let at = 0; at < items.length; at++) if (test(items[at])) return true
    return false
  })
}

const buildNone: Build = (operands, compile) => {
  const some = asTest(buildSome(operands, compile))
  return tested((data) => !some(data))
}

/** Does not hold for an empty list, nor for what is none. */
const buildAll: Build = (operands, compile) => {
  const { list, body } = scoped(operands, compile)
  const test = asTest(body)
  return tested((data) => {
    const items = itemsOf(list(data))
    for (let at = 0; at < items.length; at++) if (!test(items[at])) return false
    return items.length > 0
  })
}

const buildMerge: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  return { run: (data) => nodes.flatMap((node) => node.run(data)) }
}

const buildIn: Build = (operands, compile) => {
  const what = operandAt(operands, 0, compile)
  const where = operandAt(operands, 1, compile)
  const read = what.run
  if (where.constant) {
    const { value } = where.constant
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
      const names = new Set<unknown>(value)
      const quick = what.read ?? read
      return tested((data) => names.has(quick(data)))
    }
  }
  const whole = where.read ?? where.run
  const needle = what.constant?.value
  if (typeof needle !== "string") return tested((data) => contains(whole(data), read(data)))
  return tested((data) => {
    const text = whole(data)
    return typeof text === "string" ? text !== "" && text.includes(needle) : contains(text, needle)
  })
}

function contains(where: unknown, what: unknown): boolean {
  if (typeof where === "string") return where !== "" && where.includes(String(what))
  if (Array.isArray(where)) return where.indexOf(what) !== -1
  // the reference calls whatever an object has under this name
  if (typeof where === "object" && where !== null && Object.hasOwn(where, "indexOf"))
    throw new TypeError("`in` needs a text or a list")
  return false
}

export const LISTS = Object.freeze({
  map: buildMap,
  filter: buildFilter,
  reduce: buildReduce,
  all: buildAll,
  none: buildNone,
  some: buildSome,
  merge: buildMerge,
  in: buildIn,
})
