/**
 * The operations of a condition: JSON Logic's standard ones without `method` and `log`, and three of ours.
 *
 * `takes` is how many operands it looks at, where it evaluates them all beforehand; any more are evaluated and dropped.
 */
export const OPERATIONS = Object.freeze({
  var: { takes: 2, doc: "a value of the event by its dotted path, with a default: own members only" },
  missing: { doc: "which of these paths are absent, null or the empty text" },
  missing_some: { takes: 2, doc: "which of these paths are missing, if fewer than so many are there" },
  if: { doc: "the value after the first condition that holds, or the last value" },
  "?:": { doc: "another name for `if`" },
  "==": { takes: 2, doc: "equal, with JavaScript's coercion" },
  "===": { takes: 2, doc: "equal, without coercion" },
  "!=": { takes: 2, doc: "not `==`" },
  "!==": { takes: 2, doc: "not `===`" },
  "!": { takes: 1, doc: "not" },
  "!!": { takes: 1, doc: "is it truthy? An empty list is not" },
  or: { doc: "the first truthy value, or the last" },
  and: { doc: "the first falsy value, or the last" },
  ">": { takes: 2, doc: "greater" },
  ">=": { takes: 2, doc: "greater or equal" },
  "<": { takes: 3, doc: "less; with three values: between, without the ends" },
  "<=": { takes: 3, doc: "less or equal; with three values: between, with the ends" },
  max: { doc: "the greatest number" },
  min: { doc: "the least number" },
  "+": { doc: "the sum; with one value: as a number" },
  "-": { takes: 2, doc: "the difference; with one value: its negative" },
  "*": { doc: "the product" },
  "/": { takes: 2, doc: "the quotient" },
  "%": { takes: 2, doc: "the remainder" },
  map: { doc: "a list with each item replaced" },
  filter: { doc: "the items for which a rule holds" },
  reduce: { doc: "a list put together, item by item, as `current` and `accumulator`" },
  all: { doc: "does a rule hold for every item? Not for an empty list" },
  none: { doc: "does a rule hold for no item?" },
  some: { doc: "does a rule hold for an item?" },
  merge: { doc: "lists put together into one" },
  in: { takes: 2, doc: "is this text in that text, or this value in that list?" },
  cat: { doc: "texts put together" },
  substr: { takes: 3, doc: "a part of a text" },
  matches: { takes: 2, doc: "does the whole text fit this regex? Linear time; slashes around it are optional" },
  glob: { takes: 2, doc: "does the whole text fit this glob, or one of these?" },
  under: { takes: 2, doc: "is this path that folder, or inside it, once `.` and `..` are resolved?" },
} as const satisfies Record<string, { readonly takes?: number; readonly doc: string }>)

export type Operation = keyof typeof OPERATIONS

export const OPERATION_NAMES = Object.freeze(Object.keys(OPERATIONS)) as readonly Operation[]

export const isOperation = (name: string): name is Operation => Object.hasOwn(OPERATIONS, name)

/** How many operands an operation looks at; undefined where it is all of them, or where it evaluates only what it needs. */
export const operandsTaken = (op: Operation): number | undefined => {
  const row = OPERATIONS[op]
  return "takes" in row ? row.takes : undefined
}
