import { isObject, type JsonObject } from "../effects/json.ts"
import type { Verdict } from "../frames/frames.ts"
import { isToolResult } from "./tool-result.ts"

/** Where a result, or a block of it, says which hook it is from. */
export const META = Object.freeze({
  advice: "detent/advice",
  proposal: "detent/proposal",
  refusal: "detent/refusal",
})

/** What hooks had to say besides their decision. */
export type Said = Pick<Verdict, "advice" | "proposals">

export const textBlock = (words: string, meta?: JsonObject): JsonObject => ({
  type: "text",
  text: words,
  ...(meta ? { _meta: meta } : {}),
})

/** A model reads content and nothing else: what hooks have to say stands there, each in a block of its own. */
export function saidByHooks({ advice, proposals }: Said): JsonObject[] {
  return [
    ...advice.map((one) => textBlock(`Advice of the hook \`${one.hook}\`: ${one.text}`, { [META.advice]: { ...one } })),
    ...proposals.map(({ hook, ...proposed }) =>
      textBlock(`Proposal of the hook \`${hook}\`, not applied: ${JSON.stringify(proposed)}`, {
        [META.proposal]: { hook, ...proposed },
      }),
    ),
  ]
}

/** A tool's result with what hooks had to say after the server's own blocks; the very same where they said nothing. */
export function withBlocks(result: JsonObject, said: Said): JsonObject {
  const blocks = saidByHooks(said)
  if (blocks.length === 0) return result
  const { content = [] } = result
  return { ...result, content: [...(Array.isArray(content) ? content : [textBlock(wordsOf(content))]), ...blocks] }
}

/** A result that has no content, with what hooks had to say in its `_meta`; the very same where they said nothing. */
export function withMeta(result: JsonObject, { advice, proposals }: Said): JsonObject {
  if (advice.length + proposals.length === 0) return result
  const meta = isObject(result._meta) ? result._meta : {}
  return { ...result, _meta: { ...meta, [META.advice]: advice, [META.proposal]: proposals } }
}

/** A hook may answer with any value; a client of MCP gets content. */
export function asResult(value: unknown): JsonObject {
  if (isObject(value) && isToolResult(value)) return value
  return {
    content: [textBlock(wordsOf(value))],
    ...(isObject(value) && { structuredContent: value, ...(value.isError === true && { isError: true }) }),
  }
}

const wordsOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** What a result of a kind cannot do without. */
const LISTED = Object.freeze({ "resource.read": "contents", "prompt.get": "messages" })

/**
 * Why what hooks have put in a result's place cannot stand there; undefined where it can. A tool has content for any value:
 * these have nothing of the kind, and what a client could not read would be lost on it.
 */
export function misfit(on: keyof typeof LISTED, { result, frames }: Pick<Verdict, "result" | "frames">) {
  const member = LISTED[on]
  if (isObject(result) && Array.isArray(result[member])) return undefined
  const [by] = frames.flatMap((frame) => (frame.type === "hook" && frame.changed ? [frame.hook] : [])).slice(-1)
  const hook = by ?? ""
  return {
    hook,
    message: `the hook \`${hook}\` has put in the place of the result what is none: it needs a list \`${member}\``,
  }
}
