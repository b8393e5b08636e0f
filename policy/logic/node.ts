import { truthy } from "./shape.ts"

export type Run = (data: unknown) => unknown
export type Test = (data: unknown) => boolean

/** One compiled part of a rule. */
export interface Node {
  readonly run: Run
  /** the same as a test, where it is cheaper than asking for the value's truth */
  readonly test?: Test
  /** `run` always answers true or false */
  readonly boolean?: true
  /** what it always comes to; a list or an object in it is only to be read, since `run` may hand out a fresh one */
  readonly constant?: { readonly value: unknown }
  /** for a `var` of a fixed path without a default: the value, or undefined where `run` answers null */
  readonly read?: Run
  /** for a `missing` of fixed paths: whether nothing is missing */
  readonly present?: Test
}

/** Compiles a part; the operators are handed this, so that they need not know each other. */
export type Compile = (rule: unknown) => Node

/** Makes the node of one operation. */
export type Build = (operands: readonly unknown[], compile: Compile) => Node

export const constant = (value: unknown): Node => ({
  run: () => value,
  constant: { value },
  ...(typeof value === "boolean" ? { boolean: true as const } : {}),
})

/** A node that is a test. */
export const tested = (test: Test): Node => ({ run: test, test, boolean: true })

/** A node as a test. */
export function asTest(node: Node): Test {
  if (node.test) return node.test
  const { run } = node
  return node.boolean ? (run as Test) : (data) => truthy(run(data))
}

const NOTHING: Node = constant(undefined)

/** The operand at a place; one that was not written is undefined. */
export const operandAt = (operands: readonly unknown[], at: number, compile: Compile): Node =>
  at < operands.length ? compile(operands[at]) : NOTHING

/** Evaluates operands that the operation itself does not look at, for their errors. */
export const evaluateAll = (nodes: readonly Node[], data: unknown): unknown[] => nodes.map((node) => node.run(data))
