import { isObject, type JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import { isToolResult } from "./tool-result.ts"

/** The text of a result's content, where all of it is text. */
function textOf({ content }: JsonObject): string | undefined {
  if (!Array.isArray(content)) return undefined
  const texts = content.map((block: unknown) => (isObject(block) && block.type === "text" ? block.text : undefined))
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined
}

/**
 * What a tool's result is worth to a program: its structured content, else its text, else its content. A hook's answer of
 * another shape is worth itself.
 *
 * @throws OperationError `tool` where the result says that the tool failed; its text is the message.
 */
export function valueOfResult(result: unknown): unknown {
  if (!isObject(result)) return result
  if (result.isError === true) {
    const message = textOf(result) || "the tool failed without a message"
    throw new OperationError({ code: "tool", message, data: { result } })
  }
  if (!isToolResult(result)) return result
  return result.structuredContent ?? textOf(result) ?? result.content
}
