import type { JsonObject } from "../effects/json.ts"
import type { HookFrame, Verdict } from "../frames/frames.ts"
import { adviceOf, type Refusing, reasonOf } from "./workload.ts"

type Decides = (event: JsonObject) => Promise<Verdict>

interface Written {
  readonly id: string
  readonly needle: string
  readonly text: string
}

/*
 * What a person would write for these rules: a look-up of the tool, straight-line tests, the same frames and verdict.
 * Frames are plain literals, since one that begins with a spread takes many times longer in Node 20; no clock is read,
 * since texts that were ready before take no time.
 */

export function refusingByHand(rules: readonly Refusing[]): Decides {
  const byTool = toolsOf(rules, ({ needle }) => reasonOf(needle))
  return async (event) => {
    const { path } = event.args as { path: string }
    const frames: HookFrame[] = []
    let refusal: { hook: string; reason: string } | undefined
    for (const { id, needle, text } of byTool.get(event.tool as string) ?? []) {
      if (!path.includes(needle)) continue
      refusal ??= { hook: id, reason: text }
      frames.push({
        type: "hook",
        on: "call",
        phase: "before",
        hook: id,
        action: "rule",
        effect: "ask",
        durationMs: 0,
        changed: false,
        refuse: { reason: text },
      })
    }
    const verdict = { input: event.args, advice: [], proposals: [], questions: [], frames }
    return refusal ? { outcome: "refuse", ...verdict, refusal } : { outcome: "continue", ...verdict }
  }
}

export function advisingByHand(rules: readonly Refusing[]): Decides {
  const byTool = toolsOf(rules, ({ id }) => adviceOf(id))
  return async (event) => {
    const frames: HookFrame[] = []
    const advice: { hook: string; text: string }[] = []
    for (const { id, text } of byTool.get(event.tool as string) ?? []) {
      advice.push({ hook: id, text })
      frames.push({
        type: "hook",
        on: "call",
        phase: "before",
        hook: id,
        action: "rule",
        effect: "advise",
        durationMs: 0,
        changed: false,
        advise: [{ text }],
      })
    }
    return { outcome: "continue", input: event.args, advice, proposals: [], questions: [], frames }
  }
}

function toolsOf(rules: readonly Refusing[], textOf: (rule: Refusing) => string): ReadonlyMap<string, Written[]> {
  const byTool = new Map<string, Written[]>()
  for (const rule of rules) {
    const list = byTool.get(rule.tool) ?? []
    list.push({ id: rule.id, needle: rule.needle, text: textOf(rule) })
    byTool.set(rule.tool, list)
  }
  return byTool
}
