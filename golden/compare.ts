import { isObject, type JsonObject, sameJson } from "../effects/json.ts"
import { align } from "./align.ts"

/** One member of a frame that is not as it should be; `expected` or `got` is absent where the member is. */
export interface MemberDifference {
  /** `refuse.reason`, `ceilings[0].id`; empty for a whole line */
  readonly path: string
  readonly expected?: unknown
  readonly got?: unknown
}

/** One frame that is not as it should be. */
export interface FrameDifference {
  readonly how: "changed" | "missing" | "extra"
  /** 1-based; in the golden, or for an extra frame in what came out */
  readonly line: number
  /** what a person calls the frame */
  readonly frame: string
  readonly members: readonly MemberDifference[]
}

interface Line {
  readonly number: number
  readonly text: string
  /** the frame, or the text itself where it is no JSON */
  readonly value: unknown
}

/** What differs between a golden and what came out; nothing where they are the same to the byte. */
export function compareGolden(golden: string, got: string): FrameDifference[] {
  if (golden === got) return []
  const differences = align(linesOf(golden), linesOf(got), ({ value }) => labelOf(value)).flatMap(differenceOf)
  return differences.length > 0 ? differences : [otherBytes(golden, got)]
}

const linesOf = (text: string): Line[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, at) => ({ number: at + 1, text: line, value: read(line) }))

function read(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

/** Frames of one label are the same frame, however much it has changed. */
function labelOf(value: unknown): string {
  if (!isObject(value)) return "a line that is no frame"
  if (value.type === "hook") {
    const again = value.recheck ? ", rechecked" : ""
    return `hook \`${String(value.hook)}\` in ${String(value.on)} ${String(value.phase)}${again}`
  }
  return value.type === "call" ? `call of ${String(value.server)}/${String(value.tool)}` : String(value.type)
}

function differenceOf({ expected, got }: { readonly expected?: Line; readonly got?: Line }): FrameDifference[] {
  const one = expected ?? got!
  const at = { line: one.number, frame: labelOf(one.value) }
  if (!expected) return [{ how: "extra", ...at, members: [{ path: "", got: one.value }] }]
  if (!got) return [{ how: "missing", ...at, members: [{ path: "", expected: one.value }] }]
  if (expected.text === got.text) return []
  const members = membersOf("", expected.value, got.value)
  return members.length === 0 ? [] : [{ how: "changed", ...at, members }]
}

function membersOf(path: string, expected: unknown, got: unknown): MemberDifference[] {
  if (sameJson(expected, got)) return []
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length)
    return Array.from({ length }, (_, at) => at).flatMap((at) => memberOf(`${path}[${at}]`, at, expected, got))
  }
  if (!isObject(expected) || !isObject(got)) return [{ path, expected, got }]
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])]
  return keys.flatMap((key) => memberOf(path === "" ? key : `${path}.${key}`, key, expected, got))
}

function memberOf(path: string, key: string | number, a: object, b: object): MemberDifference[] {
  const [expected, got] = [(a as JsonObject)[key], (b as JsonObject)[key]]
  if (!Object.hasOwn(a, key)) return [{ path, got }]
  if (!Object.hasOwn(b, key)) return [{ path, expected }]
  return membersOf(path, expected, got)
}

/** The same values in other bytes: the order of members, or blanks. */
function otherBytes(golden: string, got: string): FrameDifference {
  const [expected, came] = [golden.split("\n"), got.split("\n")]
  const at = expected.findIndex((line, index) => line !== came[index])
  const line = at < 0 ? expected.length : at + 1
  const members = [{ path: "", expected: expected[line - 1] ?? "", got: came[line - 1] ?? "" }]
  return {
    how: "changed",
    line,
    frame: "the same values in other bytes (order of members, blanks or line ends)",
    members,
  }
}
