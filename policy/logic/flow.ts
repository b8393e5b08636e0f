import { asTest, type Build, type Node, operandAt, type Run, type Test, tested } from "./node.ts"
import { truthy } from "./shape.ts"

const buildIf: Build = (operands, compile) => {
  const tests: Test[] = []
  const values: Run[] = []
  let at = 0
  for (; at < operands.length - 1; at += 2) {
    tests.push(asTest(compile(operands[at])))
    values.push(compile(operands[at + 1]).run)
  }
  const otherwise: Run = at === operands.length - 1 ? compile(operands[at]).run : () => null
  if (tests.length === 1) {
    const [test, value] = [tests[0]!, values[0]!]
    return { run: (data) => (test(data) ? value(data) : otherwise(data)) }
  }
  return {
    run(data) {
      for (let i = 0; i < tests.length; i++) if (tests[i]!(data)) return values[i]!(data)
      return otherwise(data)
    },
  }
}

/** Where every operand is true or false, value and test are one; else the value is the operand that decided. */
const buildAnd: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  const test = allOf(nodes.map(asTest))
  if (nodes.length > 0 && nodes.every((node) => node.boolean)) return tested(test)
  return { run: firstWith(nodes, false), test }
}

const buildOr: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  const test = anyOf(nodes.map(asTest))
  if (nodes.length > 0 && nodes.every((node) => node.boolean)) return tested(test)
  return { run: firstWith(nodes, true), test }
}

const firstWith =
  (nodes: readonly Node[], truth: boolean): Run =>
  (data) => {
    let value: unknown
    for (const node of nodes) {
      value = node.run(data)
      if (truthy(value) === truth) return value
    }
    return value
  }

function allOf(tests: readonly Test[]): Test {
  const [a, b, c, d] = tests
  // like the reference, nothing at all is undefined, which is false
  if (!a) return () => false
  if (!b) return a
  if (!c) return (data) => a(data) && b(data)
  if (!d) return (data) => a(data) && b(data) && c(data)
  return (data) => {
    for (const test of tests) if (!test(data)) return false
    return true
  }
}

function anyOf(tests: readonly Test[]): Test {
  const [a, b, c, d] = tests
  if (!a) return () => false
  if (!b) return a
  if (!c) return (data) => a(data) || b(data)
  if (!d) return (data) => a(data) || b(data) || c(data)
  return (data) => {
    for (const test of tests) if (test(data)) return true
    return false
  }
}

const buildTruth =
  (negate: boolean): Build =>
  (operands, compile) => {
    const node = operandAt(operands, 0, compile)
    const test = asTest(node)
    if (!negate) return tested(test)
    return tested(node.present ?? ((data) => !test(data)))
  }

export const FLOW = Object.freeze({
  if: buildIf,
  "?:": buildIf,
  and: buildAnd,
  or: buildOr,
  "!": buildTruth(true),
  "!!": buildTruth(false),
})
