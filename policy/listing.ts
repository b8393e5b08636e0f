import { isObject, type JsonObject, sameJson } from "../effects/json.ts"

/** What a hook may say anew about a tool; all else of it is the server's word. */
const ANNOTATES: ReadonlySet<string> = new Set(["title", "description", "annotations", "icons", "_meta"])

const toolsOf = (listing: unknown): readonly unknown[] | undefined =>
  isObject(listing) && Array.isArray(listing.tools) ? listing.tools : undefined

/** INVARIANT: a listing only loses tools or has them annotated; none is invented, renamed or given another schema. */
export function onlyLessOrAnnotated(listed: unknown, rewritten: unknown): boolean {
  const [before, after] = [toolsOf(listed), toolsOf(rewritten)]
  if (!before || !after) return false
  const known = new Map(before.filter(isObject).map((tool) => [tool.name, tool]))
  return after.every((tool) => {
    if (!isObject(tool)) return false
    const original = known.get(tool.name)
    // Each only once: a tool listed twice would be an invented one.
    return original !== undefined && known.delete(tool.name) && sameButAnnotations(original, tool)
  })
}

const sameButAnnotations = (a: JsonObject, b: JsonObject): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => ANNOTATES.has(key) || sameJson(a[key], b[key]))
