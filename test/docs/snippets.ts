/** One fenced block of a Markdown file. */
export interface Snippet {
  readonly file: string
  /** of the opening fence, 1-based */
  readonly line: number
  readonly language: string
  /** what follows the language: what the block is held against */
  readonly info: string
  readonly text: string
}

/** The fenced blocks of a Markdown text, in order. */
export function snippetsOf(file: string, markdown: string): Snippet[] {
  const found: Snippet[] = []
  let open: { line: number; language: string; info: string; lines: string[] } | undefined
  for (const [index, line] of markdown.split("\n").entries()) {
    const fence = line.match(/^```(\S*)\s*(.*)$/)
    if (open && line === "```") {
      found.push({ file, line: open.line, language: open.language, info: open.info, text: open.lines.join("\n") })
      open = undefined
    } else if (open) open.lines.push(line)
    else if (fence) open = { line: index + 1, language: fence[1] ?? "", info: fence[2] ?? "", lines: [] }
  }
  return found
}

/** The links of a Markdown text to files of the repository. */
export const linksOf = (markdown: string): string[] =>
  [...markdown.replace(/```[\s\S]*?```/g, "").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target))
