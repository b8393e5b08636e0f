/** A table cell: a bar would end it. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** A table of GitHub's Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

export const code = (text: string): string => `\`${text}\``

/** Names in code, with commas between. */
export const codes = (names: readonly string[]): string => names.map(code).join(", ")

/** One page: its title, what it is about, and its parts; it says that nobody should edit it. */
export const page = (title: string, about: string, ...parts: readonly string[]): string =>
  [
    `# ${title}`,
    "<!-- Made by `npm run docs` from the tables of the code: do not edit it by hand. -->",
    about,
    ...parts,
  ]
    .join("\n\n")
    .concat("\n")

export const part = (title: string, ...texts: readonly string[]): string => [`## ${title}`, ...texts].join("\n\n")
