/** Control characters, and those that turn the direction of text: on a terminal they could say anything. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const SHORT: Readonly<Record<string, string>> = Object.freeze({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })

/** A text as one line in which nothing is hidden: what has no shape of its own is written as an escape. */
export const oneLine = (text: string): string =>
  text.replace(UNSEEN, (char) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)

const LONGEST = 200

/** A value as one line of JSON, cut where it is long. */
export function brief(value: unknown): string {
  const text = oneLine(JSON.stringify(value) ?? "nothing")
  return text.length <= LONGEST ? text : `${[...text.slice(0, LONGEST)].slice(0, -1).join("")}…`
}
