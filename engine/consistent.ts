import { isObject, type JsonObject, sameJson } from "../effects/json.ts"

/** Whether a structured part is what the tool promises; undefined: it promises nothing, or nothing is known of it. */
export type FitsResult = (structured: unknown) => boolean | undefined

/** A result as it may go out, and what was done to it. */
export interface Consistent {
  readonly result: unknown
  readonly note?: string
}

const WITHHELD = "the result is withheld: a hook has changed it, and what is left does not fit the tool's output schema"

/**
 * Keeps the two forms of a tool's result together: a hook that rewrites one of them leaves no old copy in the other
 * (test/engine/consistent.test.ts).
 *
 * @param sent what the server answered; undefined where nothing was sent
 */
export function consistent(sent: unknown, shown: unknown, fits: FitsResult): Consistent {
  if (!isObject(shown) || !("content" in shown || "structuredContent" in shown)) return { result: shown }
  if (shown.isError === true) return ofError(shown, fits)
  if (shown === sent) return { result: shown }
  const before = isObject(sent) ? sent : {}
  const text = !sameJson(before.content, shown.content)
  const structure = !sameJson(before.structuredContent, shown.structuredContent)
  if (!text && !structure) return { result: shown }
  const result = text === structure ? shown : text ? withoutStructure(shown) : withFreshText(shown)
  if (fits(result.structuredContent) === false) {
    return { result: { content: [{ type: "text", text: WITHHELD }], isError: true }, note: WITHHELD }
  }
  if (result === shown) return { result }
  const note = text
    ? "the structured part of the result is dropped: a hook has changed the text alone"
    : "the text of the result is made anew: a hook has changed the structured part alone"
  return { result, note }
}

/** An error's text must arrive: a structured part that breaks the schema would hide it from clients that check. */
function ofError(shown: JsonObject, fits: FitsResult): Consistent {
  if (shown.structuredContent === undefined || fits(shown.structuredContent) !== false) return { result: shown }
  const note = "the structured part of an error is dropped: it does not fit the tool's output schema"
  return { result: withoutStructure(shown), note }
}

function withoutStructure(result: JsonObject): JsonObject {
  const { structuredContent: _, ...rest } = result
  return rest
}

function withFreshText(result: JsonObject): JsonObject {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : []
  const others = blocks.filter((block) => !isObject(block) || block.type !== "text")
  return { ...result, content: [{ type: "text", text: JSON.stringify(result.structuredContent) }, ...others] }
}
