import { align } from "../../golden/align.ts"
import type { Out } from "../io.ts"
import { oneLine } from "./plain.ts"

/** Lines shown on each side of a change. */
const AROUND = 3

/** What changes in a text, line by line: `-` goes, `+` comes. */
export function diffText(before: string, after: string, paint: Out["paint"]): string {
  const [left, right] = [linesOf(before), linesOf(after)]
  const same = (at: number) => at < left.length && at < right.length && left[at] === right[at]
  let head = 0
  while (same(head)) head++
  const room = Math.min(left.length, right.length) - head
  let tail = 0
  while (tail < room && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  const middle = align(left.slice(head, left.length - tail), right.slice(head, right.length - tail), (line) => line)
  const lines = [
    ...left.slice(Math.max(0, head - AROUND), head).map((line) => `  ${line}`),
    ...middle.map(({ expected, got }) =>
      expected === undefined ? `+ ${got}` : `${got === undefined ? "-" : " "} ${expected}`,
    ),
    ...left.slice(left.length - tail, left.length - tail + AROUND).map((line) => `  ${line}`),
  ]
  return lines
    .map(oneLine)
    .map((line) => (line.startsWith("+") ? paint("good", line) : line.startsWith("-") ? paint("bad", line) : line))
    .join("\n")
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split(/\r?\n/))
