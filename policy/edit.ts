import { isMap, parseDocument } from "yaml"
import { isObject } from "../effects/json.ts"
import type { SettingPath } from "./settings.ts"

/** The least policy: what a new file begins with. */
const NEW = "version: 1\n"

/** A policy's text with one setting changed, and what the setting was before. */
export interface Edited {
  readonly text: string
  /** absent: it was not said */
  readonly before?: unknown
}

/**
 * Says one setting in a policy's text. Comments stay where they are; a member of `model: {…}` is changed in there.
 *
 * @param text absent: the policy is new
 * @param json strict JSON, which has no comments
 */
export function withSetting(text: string | undefined, path: SettingPath, value: unknown, json: boolean): Edited {
  if (json) return inJson(text, path, value)
  const doc = parseDocument(text ?? NEW)
  if (!isMap(doc.contents)) throw new TypeError("the policy is no object of settings")
  const inner = innerOf(path)
  const at = inner && doc.hasIn(inner) ? inner : [path]
  const before = doc.toJS() as Record<string, unknown>
  // Lists stand in one line: what was written of the old one is gone with it.
  doc.setIn(at, Array.isArray(value) ? doc.createNode(value, { flow: true }) : value)
  return edited(doc.toString({ lineWidth: 0 }), at, before)
}

const innerOf = (path: string): string[] | undefined =>
  path.startsWith("model.") ? ["model", path.slice("model.".length)] : undefined

function edited(text: string, at: readonly string[], root: unknown): Edited {
  const before = at.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root)
  return before === undefined ? { text } : { text, before }
}

function inJson(text: string | undefined, path: SettingPath, value: unknown): Edited {
  const root = JSON.parse(text ?? '{"version":1}') as Record<string, unknown>
  const inner = innerOf(path)
  const { model } = root
  const isInner = inner !== undefined && isObject(model) && Object.hasOwn(model, inner[1]!)
  const changed = isInner ? { ...root, model: { ...model, [inner[1]!]: value } } : { ...root, [path]: value }
  return edited(`${JSON.stringify(changed, null, 2)}\n`, isInner ? inner : [path], root)
}
