import { type Build, type Node, operandAt, type Run } from "./node.ts"

type Fold = (values: readonly unknown[]) => unknown

/** An operation over all its values. */
const fold =
  (compute: Fold): Build =>
  (operands, compile) => {
    const nodes = operands.map(compile)
    if (nodes.length === 2) return { run: pair(nodes[0]!, nodes[1]!, compute) }
    return { run: (data) => compute(nodes.map((node) => node.run(data))) }
  }

const pair = (a: Node, b: Node, compute: Fold): Run => {
  const [left, right] = [a.run, b.run]
  return (data) => compute([left(data), right(data)])
}

const binary =
  (compute: (a: never, b: never) => unknown): Build =>
  (operands, compile) => {
    const a = operandAt(operands, 0, compile).run
    const b = operandAt(operands, 1, compile).run
    return { run: (data) => compute(a(data) as never, b(data) as never) }
  }

/** The reference reads every value as the number its text starts with, so that "3 apples" is 3 and null is no number. */
const asNumber = (value: unknown): number => Number.parseFloat(value as string)

const add: Fold = (values) => values.reduce<number>((sum, value) => sum + asNumber(value), 0)

/** One value is handed back as it is; none is an error. */
const multiply: Fold = (values) => {
  if (values.length === 0) throw new TypeError("`*` needs a value")
  return values.reduce((product, value) => asNumber(product) * asNumber(value))
}

const subtract = (a: number, b: number | undefined): number => (b === undefined ? -a : a - b)

export const ARITHMETIC = Object.freeze({
  "+": fold(add),
  "*": fold(multiply),
  min: fold((values) => Math.min(...(values as number[]))),
  max: fold((values) => Math.max(...(values as number[]))),
  "-": binary(subtract),
  "/": binary((a: number, b: number) => a / b),
  "%": binary((a: number, b: number) => a % b),
})
