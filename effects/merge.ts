import { isObject, put } from "./json.ts"

/**
 * RFC 7396 JSON Merge Patch: objects merge key by key, `null` removes a key, anything else replaces.
 * Neither argument is changed. A member that is `undefined` is no JSON and changes nothing; `__proto__` is a name like
 * any other and touches no prototype.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else if (value !== undefined)
      put(merged, key, mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value))
  }
  return merged
}
