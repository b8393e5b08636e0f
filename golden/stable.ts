import { isObject, type JsonObject, put } from "../effects/json.ts"
import type { CeilingSource, Frame, Verdict } from "../frames/frames.ts"

/** A folder and what stands in its place in a golden. */
export interface Place {
  readonly folder: string
  /** empty for the case's own folder */
  readonly shown: string
}

/** The frames and the verdict as a golden holds them: one JSON text a line. */
export function goldenText(frames: readonly Frame[], verdict: Verdict, places: readonly Place[]): string {
  const ids = new Map<string, string>()
  const { frames: _, ...rest } = verdict
  const last = { type: "verdict", ...rest, ...(rest.ceilings ? { ceilings: rest.ceilings.map(withoutLine) } : {}) }
  const relative = relativePaths(places)
  return [...frames.map((frame) => stable(frame, ids)), last]
    .map((frame) => `${JSON.stringify(relative(frame))}\n`)
    .join("")
}

/** Durations are 0 and ids are counted: what differs from run to run says nothing. */
function stable(frame: Frame, ids: Map<string, string>): Frame {
  const timed = "durationMs" in frame ? { ...frame, durationMs: 0 } : frame
  if (timed.type === "start") return { ...timed, runId: counted("run", timed.runId, ids) }
  if (timed.type === "ask") return { ...timed, approval: counted("approval", timed.approval, ids) }
  if (timed.type === "hook" && timed.ceilings) return { ...timed, ceilings: timed.ceilings.map(withoutLine) }
  return timed
}

function counted(what: string, id: string, ids: Map<string, string>): string {
  const known = ids.get(id)
  if (known !== undefined) return known
  const next = `${what}-${1 + [...ids.values()].filter((name) => name.startsWith(`${what}-`)).length}`
  ids.set(id, next)
  return next
}

/** A ceiling's origin without its line: a comment added to a policy changes no golden. */
const withoutLine = (source: CeilingSource): CeilingSource => ({
  ...source,
  origin: source.origin.replace(/:\d+\)$/, ")"),
})

/** Takes this machine's folders out of every text. */
function relativePaths(places: readonly Place[]): (value: unknown) => unknown {
  const longestFirst = [...places].sort((a, b) => b.folder.length - a.folder.length)
  const text = (given: string): string => longestFirst.reduce(inPlaceOf, given)
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const made: JsonObject = {}
    for (const [key, member] of Object.entries(value)) put(made, key, walk(member))
    return made
  }
  return walk
}

function inPlaceOf(text: string, { folder, shown }: Place): string {
  if (folder === "/" || !text.includes(folder)) return text
  const inside = shown === "" ? "" : `${shown}/`
  const parts = text.split(folder)
  return parts.reduce((made, part, at) => {
    if (at === 0) return part
    if (part.startsWith("/")) return `${made}${inside}${part.slice(1)}`
    // Only a whole folder's name counts: `/a/b` is no part of `/a/bc`.
    return /^[\w.-]/.test(part) ? `${made}${folder}${part}` : `${made}${shown === "" ? "." : shown}${part}`
  }, "")
}
