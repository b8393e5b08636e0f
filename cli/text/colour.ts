/** The few colours there are, by what they say. */
const CODES = Object.freeze({
  /** headings, names */
  strong: "1",
  /** what is beside the point */
  faint: "2",
  /** it went on */
  good: "32",
  /** it was lowered, dropped or doubted */
  warning: "33",
  /** it was refused or failed */
  bad: "31",
  /** what the reader may type */
  code: "36",
} as const)

export type Colour = keyof typeof CODES

export type Paint = (colour: Colour, text: string) => string

const plain: Paint = (_, text) => text
const painted: Paint = (colour, text) => (text === "" ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`)

/** Colour on a terminal alone, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. */
export function painter(tty: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = env
  if (NO_COLOR !== undefined && NO_COLOR !== "") return plain
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR === "0" ? plain : painted
  return tty && TERM !== "dumb" ? painted : plain
}
