import { isObject } from "../effects/json.ts"

/** Whether a hook's value can stand for what `tools/call` answers: content, or a structured part, or both. */
export function isToolResult(value: unknown): boolean {
  if (!isObject(value)) return false
  const { content, structuredContent, isError } = value
  if (isError !== undefined && typeof isError !== "boolean") return false
  return content === undefined ? structuredContent !== undefined : Array.isArray(content) && content.every(isBlock)
}

const isBlock = (block: unknown): boolean =>
  isObject(block) && typeof block.type === "string" && (block.type !== "text" || typeof block.text === "string")
