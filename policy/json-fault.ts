/** Where a text stops being JSON, and what was wanted there. */
export interface JsonFault {
  /** in UTF-16 units */
  readonly offset: number
  readonly message: string
}

class Fault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

const SPACE = /[ \t\r\n]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON texts hold none of these
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/**
 * The first place at which a text is no JSON; undefined for JSON. It reads slowly and says what JSON.parse says in
 * other words, or without a place, in every engine; ask it only where JSON.parse has refused.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  let at = 0
  const take = (token: RegExp): boolean => {
    token.lastIndex = at
    if (!token.test(text)) return false
    at = token.lastIndex
    return true
  }
  const next = (): string => {
    take(SPACE)
    return text.charAt(at)
  }
  const want = (message: string): never => {
    throw new Fault(at, at >= text.length ? `it ends too early: ${message}` : message)
  }
  const key = (): void => {
    if (next() !== '"' || !take(STRING)) want("a key in double quotes is wanted here")
    if (next() !== ":") want("a colon is wanted here")
    at++
    value()
  }
  const members = (close: string, member: () => void): void => {
    at++
    if (next() === close) at++
    else {
      for (;;) {
        member()
        const found = next()
        if (found !== "," && found !== close) want(`a comma or \`${close}\` is wanted here`)
        at++
        if (found === close) return
      }
    }
  }
  const value = (): void => {
    const first = next()
    if (first === "{") members("}", key)
    else if (first === "[") members("]", value)
    else if (!take(first === '"' ? STRING : PLAIN))
      want(first === '"' ? "this text is not closed or holds what JSON does not take" : "a value is wanted here")
  }
  try {
    value()
    if (next() !== "") want("nothing more is wanted here")
    return undefined
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { offset: cause.offset, message: cause.message }
  }
}
