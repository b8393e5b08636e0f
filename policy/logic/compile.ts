import { ARITHMETIC } from "./arithmetic.ts"
import { COMPARISONS } from "./compare.ts"
import { asConditionError, ConditionError } from "./condition-error.ts"
import { FLOW } from "./flow.ts"
import { LISTS } from "./lists.ts"
import { asTest, type Build, constant, evaluateAll, type Node, type Run } from "./node.ts"
import { isOperation, type Operation, operandsTaken } from "./operations.ts"
import { readOperation } from "./shape.ts"
import { TEXTS } from "./texts.ts"
import { VARIABLES } from "./variables.ts"

const BUILDS = Object.freeze({
  ...ARITHMETIC,
  ...COMPARISONS,
  ...FLOW,
  ...LISTS,
  ...TEXTS,
  ...VARIABLES,
}) satisfies Readonly<Record<Operation, Build>>

/** Operations whose answer is not settled by their operands' values: they read the data, or run a rule on items. */
const OPEN = new Set<Operation>(["var", "missing", "missing_some", "map", "filter", "reduce", "all", "none", "some"])

/** Rules nested deeper than this are an error when they are evaluated. */
const DEEPEST = 400

/**
 * Compiles a JSON Logic rule once, to a function of the data that answers its value. The value may share parts with the
 * data; it is not to be changed.
 *
 * The function throws ConditionError where the rule cannot be evaluated: an unknown operation, a pattern that cannot be used, a
 * value that an operation cannot take. Compiling never throws, since a part that is not reached does no harm;
 * `findLogicProblems` finds what is wrong beforehand.
 */
export function compileLogic(rule: unknown): (data: unknown) => unknown {
  const { run } = compileAt(rule, 0)
  return (data) => {
    try {
      return run(data)
    } catch (error) {
      throw asConditionError(error)
    }
  }
}

/** Compiles a rule to a test for callers that take any error as a condition that could not be evaluated. */
export const compileCondition = (rule: unknown): ((data: unknown) => boolean) => asTest(compileAt(rule, 0))

/** Compiles a rule to a test: JSON Logic's truth of its value. Throws as the function of `compileLogic` does. */
export function compileTest(rule: unknown): (data: unknown) => boolean {
  const test = compileCondition(rule)
  return (data) => {
    try {
      return test(data)
    } catch (error) {
      throw asConditionError(error)
    }
  }
}

function compileAt(rule: unknown, depth: number): Node {
  if (depth > DEEPEST) return failing(`the condition is nested deeper than ${DEEPEST} levels`)
  if (Array.isArray(rule)) return compileList(rule.map((item) => compileAt(item, depth + 1)))
  const written = readOperation(rule)
  if (written === undefined) return constant(rule)
  const { op, operands } = written
  if (!isOperation(op)) return failing(`unknown operation \`${op}\``)
  let fixed = !OPEN.has(op)
  const compile = (part: unknown): Node => {
    const node = compileAt(part, depth + 1)
    if (!node.constant) fixed = false
    return node
  }
  const taken = operandsTaken(op) ?? operands.length
  const spare = operands.slice(taken).map(compile)
  const node = BUILDS[op](operands.slice(0, taken), compile)
  if (fixed) return settled(node)
  return spare.every(({ constant }) => constant) ? node : alsoEvaluating(spare, node.run)
}

/** A list is a fresh one for each evaluation, so that two lists are never the same one. */
function compileList(nodes: readonly Node[]): Node {
  const run: Run = (data) => nodes.map((node) => node.run(data))
  if (!nodes.every((node) => node.constant)) return { run }
  return { run, constant: { value: nodes.map((node) => node.constant?.value) } }
}

/** Works an operation on fixed values out now, where that gives a simple value. */
function settled(node: Node): Node {
  try {
    const value = node.run(undefined)
    return typeof value === "object" && value !== null ? node : constant(value)
  } catch {
    return node
  }
}

/** Operands that nobody looks at can still fail. */
const alsoEvaluating = (spare: readonly Node[], run: Run): Node => ({
  run(data) {
    evaluateAll(spare, data)
    return run(data)
  },
})

const failing = (message: string): Node => ({
  run() {
    throw new ConditionError(message)
  },
})
