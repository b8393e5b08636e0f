import { isObject, type JsonObject, sameJson } from "../../effects/json.ts"
import { isOurs } from "./command.ts"
import { append, childOf, type JsonNode, readJsonText, without } from "./json-text.ts"
import type { SetupRow } from "./places.ts"

/** One hook that a configuration holds, and where. */
export interface Entry {
  readonly event: string
  /** of its group, or its own */
  readonly matcher?: unknown
  readonly entry: JsonObject
  /** in the text */
  readonly at: number
  /** from the root, the last key or index apart */
  readonly path: readonly (string | number)[]
  readonly index: number
}

/** A configuration that is not as its agent wants it: nothing can be added to it without a guess. */
export class SetupError extends Error {
  override readonly name = "SetupError"
}

/** The root of a configuration. @throws SetupError where it is no JSON object. */
export function rootOf(text: string): JsonNode {
  let root: JsonNode
  try {
    root = readJsonText(text)
  } catch (cause) {
    throw new SetupError(`it is no JSON that can be read: ${(cause as Error).message}`)
  }
  if (!isObject(root.value)) throw new SetupError("it is no JSON object")
  return root
}

/** All hooks of a configuration, in order; what is no hook is left out. */
export function entriesOf(text: string, shape: SetupRow["shape"]): Entry[] {
  const hooks = childOf(rootOf(text), "hooks")
  return (hooks?.children ?? []).flatMap(({ key: event = "", node: list }) =>
    (list.children ?? []).flatMap(({ node }, at) => {
      if (shape === "entries") return entryAt(event, node, ["hooks", event], at)
      const group = node.value as JsonObject
      return (childOf(node, "hooks")?.children ?? []).flatMap((child, index) =>
        entryAt(event, child.node, ["hooks", event, at, "hooks"], index, isObject(group) ? group : {}),
      )
    }),
  )
}

function entryAt(
  event: string,
  node: JsonNode,
  path: Entry["path"],
  index: number,
  holder: JsonObject = isObject(node.value) ? node.value : {},
): Entry[] {
  if (!isObject(node.value)) return []
  const { matcher } = holder
  return [{ event, ...(matcher === undefined ? {} : { matcher }), entry: node.value, at: node.start, path, index }]
}

/** The command line of a hook, under whatever name its agent has it. */
export const lineIn = ({ command, bash }: JsonObject): unknown => command ?? bash

const ours = (text: string, { shape }: SetupRow): Entry[] =>
  entriesOf(text, shape).filter(({ entry }) => isOurs(lineIn(entry)))

/** What we want to stand there, by event. */
export type Wanted = Readonly<Record<string, JsonObject>>

/** A configuration with our hooks in it, and all else as it was. @throws SetupError */
export function withOurs(text: string | undefined, row: SetupRow, wanted: Wanted): string {
  const hookOf = (entry: JsonObject): JsonObject => (row.shape === "groups" ? { hooks: [entry] } : entry)
  if (text === undefined || text.trim() === "") {
    const hooks = Object.fromEntries(Object.entries(wanted).map(([event, entry]) => [event, [hookOf(entry)]]))
    return `${JSON.stringify({ ...row.head, hooks }, null, 2)}\n`
  }
  const there = ours(text, row)
  const asWanted =
    there.length === Object.keys(wanted).length &&
    there.every(({ event, entry, matcher }) => matcher === undefined && sameJson(entry, wanted[event]))
  if (asWanted) return text
  let made = withoutOurs(text, row) ?? "{}\n"
  for (const [key, value] of Object.entries(row.head)) {
    if (childOf(rootOf(made), key) === undefined) made = append(made, rootOf(made), value, key)
  }
  for (const [event, entry] of Object.entries(wanted)) made = added(made, event, hookOf(entry))
  return made
}

function added(text: string, event: string, hook: JsonObject): string {
  const root = rootOf(text)
  const hooks = childOf(root, "hooks")
  if (!hooks) return append(text, root, { [event]: [hook] }, "hooks")
  if (!isObject(hooks.value)) throw new SetupError("its `hooks` are no object")
  const list = childOf(hooks, event)
  if (!list) return append(text, hooks, [hook], event)
  if (!Array.isArray(list.value)) throw new SetupError(`its \`hooks.${event}\` is no list`)
  return append(text, list, hook)
}

/** A configuration without our hooks, and without what stood there for them alone; undefined: nothing is left of it. */
export function withoutOurs(text: string, row: SetupRow): string | undefined {
  let made = text
  let gone = false
  for (;;) {
    const [entry] = ours(made, row)
    if (!entry) break
    made = pruned(made, entry.path, entry.index)
    gone = true
  }
  const left = Object.keys(rootOf(made).value as JsonObject).filter((key) => !Object.hasOwn(row.head, key))
  return gone && left.length === 0 ? undefined : made
}

/** Takes an entry out, and then what holds it, as long as that holds nothing else. */
function pruned(text: string, path: Entry["path"], index: number): string {
  const parent = path.reduce<JsonNode | undefined>(childOf, rootOf(text))!
  const made = without(text, parent, index)
  if (parent.children!.length > 1 || path.length === 0) return made
  const holder = path.slice(0, -1)
  const last = path.at(-1)!
  // A group is its matcher and its hooks: without hooks it is nothing.
  const [of, at] = last === "hooks" && holder.length > 0 ? [holder.slice(0, -1), holder.at(-1)!] : [holder, last]
  const above = of.reduce<JsonNode | undefined>(childOf, rootOf(made))!
  const position = typeof at === "number" ? at : above.children!.findIndex(({ key }) => key === at)
  return pruned(made, of, position)
}
