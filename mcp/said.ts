import { isObject, type JsonObject } from "../effects/json.ts"
import type { Verdict } from "../frames/frames.ts"

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
  return { ...result, content: [...(Array.isArray(result.content) ? result.content : []), ...blocks] }
}

/** A result that has no content, with what hooks had to say in its `_meta`; the very same where they said nothing. */
export function withMeta(result: JsonObject, { advice, proposals }: Said): JsonObject {
  if (advice.length + proposals.length === 0) return result
  const meta = isObject(result._meta) ? result._meta : {}
  return { ...result, _meta: { ...meta, [META.advice]: advice, [META.proposal]: proposals } }
}

/** A hook may answer with any value; a client of MCP gets content. */
export function asResult(value: unknown): JsonObject {
  if (isObject(value) && ("content" in value || "structuredContent" in value)) return value
  const words = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return { content: [textBlock(words)], ...(isObject(value) ? { structuredContent: value } : {}) }
}
