/** Rules and data that every operation is tried on: each operation with each pair of values, written and from the data. */

/** Values as a rule or an event may hold them. */
export const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2.5,
  100,
  "",
  "0",
  "1",
  "a",
  "abc",
  "1e2x",
  " 7 ",
  [],
  [0],
  [1, 2],
  ["a", "b"],
  [[1], []],
  {},
  { a: 1, b: "x" },
]

export interface Sample {
  readonly rule: unknown
  readonly data: unknown
}

const BINARY = [
  "==",
  "===",
  "!=",
  "!==",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "min",
  "max",
  "in",
  "cat",
  "and",
  "or",
  "merge",
]
const UNARY = [
  "!",
  "!!",
  "+",
  "-",
  "*",
  "min",
  "max",
  "cat",
  "merge",
  "and",
  "or",
  "if",
  "var",
  "missing",
  "in",
  "substr",
]

/** Operands once as literals, which may be worked out beforehand, and once as variables, which may not. */
function* pairs(): Generator<Sample> {
  for (const op of BINARY) {
    for (const [i, left] of VALUES.entries()) {
      for (const [j, right] of VALUES.entries()) {
        // every pair for comparisons; elsewhere a third of them is plenty
        if (!"<=>!".includes(op[0]!) && (i + j) % 3 !== 0) continue
        const data = { l: left, r: right }
        yield { rule: { [op]: [{ var: "l" }, { var: "r" }] }, data }
        if ((i + j) % 2 === 0) yield { rule: { [op]: [{ var: "l" }, right] }, data }
        else yield { rule: { [op]: [left, { var: "r" }] }, data }
        if ((i + j) % 5 === 0) yield { rule: { [op]: [left, right] }, data }
      }
    }
  }
}

function* singles(): Generator<Sample> {
  for (const op of UNARY) {
    yield { rule: { [op]: [] }, data: { a: 1 } }
    for (const value of VALUES) {
      yield { rule: { [op]: value }, data: { a: 1 } }
      yield { rule: { [op]: [value] }, data: { a: { b: 2 } } }
      yield { rule: { [op]: { var: "v" } }, data: { v: value } }
      yield { rule: { [op]: [{ var: "v" }, { var: "none" }, 1] }, data: { v: value } }
    }
  }
}

const DATA = {
  a: { b: { c: { d: 4 } } },
  list: [3, 1, 2],
  names: ["x", "y"],
  rows: [{ n: 1, s: "p" }, { n: 2 }],
  empty: "",
  no: null,
  f: false,
  "x.y": 1,
}
const PATHS: readonly unknown[] = [
  "a",
  "a.b",
  "a.b.c",
  "a.b.c.d",
  "a.b.c.d.e",
  "a.x.y",
  "list",
  "list.1",
  "list.9",
  "rows.0.n",
  "rows.1.s",
  "names.0.0",
  "empty",
  "no",
  "no.x",
  "f",
  "",
  null,
  "none",
  "a..b",
  ".a",
  "x.y",
  0,
  1,
  true,
  ["a", "b"],
]

function* variables(): Generator<Sample> {
  for (const path of PATHS) {
    yield { rule: { var: path }, data: DATA }
    yield { rule: { var: [path] }, data: DATA }
    yield { rule: { var: [path, "default"] }, data: DATA }
    yield { rule: { var: [path, null] }, data: DATA }
    yield { rule: { var: [path, { var: "list.0" }] }, data: DATA }
    yield { rule: { var: { cat: [path] } }, data: DATA }
    yield { rule: { missing: path }, data: DATA }
    yield { rule: { missing: [path, "a.b", "gone"] }, data: DATA }
    yield { rule: { missing: { merge: [path, "gone"] } }, data: DATA }
    yield { rule: { "!": { missing: [path] } }, data: DATA }
    yield { rule: { "!": [{ missing: ["a", path, "list"] }] }, data: DATA }
    for (const need of [0, 1, 2, "1", null]) {
      yield { rule: { missing_some: [need, [path, "gone", "a"]] }, data: DATA }
      yield { rule: { missing_some: [need, path] }, data: DATA }
    }
    for (const data of [[1, [2]], "text", 7, null, true]) yield { rule: { var: path }, data }
  }
}

function* lists(): Generator<Sample> {
  const bodies = [
    { var: "" },
    { ">": [{ var: "" }, 1] },
    { "==": [{ var: "n" }, 1] },
    { "!": { missing: ["s"] } },
    { var: "current" },
    true,
    [],
    null,
    { "+": [{ var: "current" }, { var: "accumulator" }] },
    { cat: [{ var: "accumulator" }, { var: "current.n" }] },
  ]
  for (const op of ["map", "filter", "reduce", "all", "none", "some"]) {
    for (const body of bodies) {
      for (const list of [
        { var: "list" },
        { var: "rows" },
        { var: "none" },
        { var: "empty" },
        [],
        [1, 2, null],
        "abc",
        { map: [{ var: "list" }, { "*": [{ var: "" }, 2] }] },
      ]) {
        yield { rule: { [op]: [list, body] }, data: DATA }
        yield { rule: { [op]: [list, body, 0] }, data: DATA }
      }
    }
    yield { rule: { [op]: [{ var: "list" }] }, data: DATA }
    yield { rule: { [op]: { var: "list" } }, data: DATA }
  }
}

function* flow(): Generator<Sample> {
  const tests = [true, false, [], 0, "", { var: "f" }, { var: "a" }, { missing: ["gone"] }, { "==": [1, 1] }]
  for (const one of tests) {
    for (const two of tests) {
      yield { rule: { if: [one, "then"] }, data: DATA }
      yield { rule: { if: [one, "first", two, "second"] }, data: DATA }
      yield { rule: { "?:": [one, "first", two, "second", { var: "list" }] }, data: DATA }
      for (const op of ["and", "or"]) {
        yield { rule: { [op]: [one, two, { var: "list.0" }] }, data: DATA }
        yield { rule: { "!!": { [op]: [{ "!": [one] }, { "!!": [two] }] } }, data: DATA }
        yield { rule: { if: [{ [op]: [one, two, { ">": [{ var: "list.0" }, 1] }, one] }, "yes", "no"] }, data: DATA }
      }
    }
  }
}

function* texts(): Generator<Sample> {
  for (const start of [0, 1, -2, 9, "1", null, -9, 1.7]) {
    yield { rule: { substr: ["jsonlogic", start] }, data: {} }
    for (const length of [0, 2, -2, 99, -99, "-1", null, 1.5])
      yield { rule: { substr: [{ var: "t" }, start, length] }, data: { t: "jsonlogic" } }
  }
  for (const bounds of [
    [1, 2, 3],
    [1, 1, 2],
    [3, 2, 1],
    [null, 1, 2],
    [1, 5, null],
  ]) {
    for (const op of ["<", "<=", ">", ">="]) {
      yield { rule: { [op]: bounds }, data: {} }
      yield { rule: { [op]: [bounds[0], { var: "m" }, bounds[2]] }, data: { m: bounds[1] } }
    }
  }
  yield { rule: { in: [{ var: "e" }, ["dev", "prod"]] }, data: { e: "prod" } }
  yield { rule: { in: [{ var: "e" }, ["dev", "prod"]] }, data: {} }
  yield { rule: { in: [Number.NaN, [Number.NaN]] }, data: {} }
  yield { rule: { in: ["x", { indexOf: 1, other: 2 }] }, data: {} }
}

export function* corpus(): Generator<Sample> {
  yield* pairs()
  yield* singles()
  yield* variables()
  yield* lists()
  yield* flow()
  yield* texts()
}
