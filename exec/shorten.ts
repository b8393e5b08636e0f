import { isObject } from "../effects/json.ts"
import type { ErrorValue, Frame, HookFrame } from "../frames/frames.ts"
import { cutText, fitsLine } from "./lines.ts"

/** Characters that stay of each text in a frame that is too long for its line. */
const KEPT = 4096

/** Characters of JSON that one member of such a hook's frame may have: all of them together fit. */
const MEMBER = 16 * 1024

/** What a hook said in words: cut short it still says something, where half of a value would be another value. */
const WORDS: readonly string[] = ["advise", "ask", "refuse", "failed", "notes", "ran"] satisfies (keyof HookFrame)[]

/** A frame of the engine's own that fits its line: texts are cut, and a hook's notes say what was cut or left out. */
export function shorten(frame: Frame): Frame {
  if (fitsLine(frame)) return frame
  if (frame.type === "hook") return shortHook(frame)
  const short = cutTexts(frame) as Frame
  return short.type === "error" && !fitsLine(short) ? { type: "error", error: bare(short.error) } : short
}

function shortHook(frame: HookFrame): HookFrame {
  const short: Record<string, unknown> = {}
  const named: string[] = []
  for (const [name, member] of Object.entries(frame)) {
    if (isSmall(member)) {
      short[name] = member
      continue
    }
    named.push(name)
    const cut = WORDS.includes(name) ? cutTexts(member) : undefined
    if (cut !== undefined && isSmall(cut)) short[name] = cut
  }
  const kept = Array.isArray(short.notes) ? short.notes : []
  short.notes = [...kept, `cut or left out, since it is too long for a line: ${named.join(", ")}`]
  return short as unknown as HookFrame
}

const isSmall = (member: unknown): boolean => (JSON.stringify(member) ?? "").length <= MEMBER

const bare = ({ code, message }: ErrorValue): ErrorValue => ({ code, message })

function cutTexts(value: unknown): unknown {
  if (typeof value === "string") return value.length <= KEPT ? value : `${cutText(value, KEPT)[0]}…`
  if (Array.isArray(value)) return value.map(cutTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutTexts(member)]))
}
