/** Levels of nesting that an answer may have: enough for any output, too few to overflow a stack. */
const DEPTH_LIMIT = 200

/** An answer that is no plain JSON value. */
export class NotPlain extends Error {}

/**
 * A copy of a plain JSON value. Members that are `undefined` are dropped; nothing else is mended.
 *
 * @throws NotPlain on functions, symbols, bigints, NaN and infinities, instances of classes, cycles, holes in lists,
 * and keys named `__proto__`.
 */
export function plainJson(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  // A cycle ends here as well.
  if (typeof value !== "object" || depth > DEPTH_LIMIT) throw new NotPlain()
  if (Array.isArray(value)) return Array.from(value, (item) => plainJson(item, depth + 1))
  const proto = Object.getPrototypeOf(value)
  if (proto !== null && Object.getPrototypeOf(proto) !== null) throw new NotPlain()
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === "__proto__") throw new NotPlain()
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) copy[key] = plainJson(member, depth + 1)
  }
  return copy
}
