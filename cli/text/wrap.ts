import type { Out } from "../io.ts"

/** Escape codes take no room. */
const CODES = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g")

/** How many columns a text takes; good enough for wrapping: no character counts as two. */
export const widthOf = (text: string): number => [...text.replace(CODES, "")].length

/** Breaks a text at spaces so that each line fits; `indent` stands before all lines but the first. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    const room = width - (lines.length > 0 ? indent.length : 0)
    if (line !== "" && widthOf(longer) > room) {
      lines.push(line)
      line = word
    } else line = longer
  }
  lines.push(line)
  return lines.join(`\n${indent}`)
}

/** One line, broken for a terminal's width; into a pipe it stays one line, for `grep` and its like. */
export const fit = (line: string, { tty, columns: width }: Pick<Out, "tty" | "columns">): string =>
  tty ? wrap(line, width, "    ") : line

/** Rows of a name and a text, the texts in one column and wrapped to the width. */
export function columns(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
  indent = "  ",
): string {
  const widest = Math.max(0, ...rows.map(([name]) => widthOf(name)))
  const at = Math.min(widest, Math.floor(width / 3)) + indent.length + 2
  const margin = " ".repeat(at)
  return rows
    .map(([name, text]) => {
      const gap = at - indent.length - widthOf(name)
      const between = gap > 0 ? " ".repeat(gap) : `\n${margin}`
      // The first line starts at the margin too, so all have the same room.
      return `${indent}${name}${between}${wrap(text, width - at).replaceAll("\n", `\n${margin}`)}`
    })
    .join("\n")
}
