import type { JsonObject } from "../effects/json.ts"
import type { HookFrame, Verdict } from "../frames/frames.ts"
import { complete } from "../policy/complete.ts"
import type { Hook } from "../policy/policy.ts"

/** A policy of `n` hooks, `concerned` of which have the event's tool: each refuses one folder. */
export function hooksOf(n: number, concerned: number): Hook[] {
  const step = Math.floor(n / concerned)
  return Array.from({ length: n }, (_, index) => {
    const fits = index % step === 0 && index / step < concerned
    return complete(
      {
        on: "call",
        phase: "before",
        effect: "ask",
        when: {
          server: fits ? "fs" : `server${index % 17}`,
          tool: fits ? "write_file" : `tool${index}`,
          if: { in: [`/secret${index}/`, { var: "args.path" }] },
        },
        action: { kind: "rule", rule: { refuse: `no writing in /secret${index}/` } },
      },
      `r${index}`,
      [{ layer: "project", source: "bench.yaml", line: index + 1 }],
    )
  })
}

/** The same hooks without a condition, advising: every one of the concerned makes a frame. */
export const advisersOf = (n: number, concerned: number): Hook[] =>
  hooksOf(n, concerned).map((hook) => {
    const { if: _, ...when } = hook.when!
    return { ...hook, when, effect: "advise", action: { kind: "rule", rule: { advise: `look at ${hook.id}` } } }
  })

/** 64 events; one in eight is refused by one of the hooks. */
export function eventsOf(n: number, concerned: number): JsonObject[] {
  const step = Math.floor(n / concerned)
  return Array.from({ length: 64 }, (_, index) => {
    const hit = step * ((index * 7) % concerned)
    const path = index % 8 === 2 ? `/repo/secret${hit}/k.txt` : `/repo/src/file${index}.ts`
    return { server: "fs", tool: "write_file", args: { path } }
  })
}

interface Written {
  readonly id: string
  readonly needle: string | undefined
  readonly text: string
}

/**
 * What a person would write for these hooks: a look-up of the tool, straight-line tests, the same frames and verdict.
 * Frames are plain literals, since one that begins with a spread takes many times longer in Node 20; no clock is read,
 * since texts that were ready before take no time.
 */
export function handWritten(hooks: readonly Hook[]): (event: JsonObject) => Promise<Verdict> {
  const byTool = new Map<string, Written[]>()
  for (const { id, when, action } of hooks) {
    const rule = (action as { rule: JsonObject }).rule
    const logic = when!.if as { in: [string, unknown] } | undefined
    const list = byTool.get(when!.tool as string) ?? []
    list.push({ id, needle: logic?.in[0], text: (rule.refuse ?? rule.advise) as string })
    byTool.set(when!.tool as string, list)
  }
  return async (event) => {
    const path = (event.args as { path: string }).path
    const frames: HookFrame[] = []
    const advice: { hook: string; text: string }[] = []
    let refusal: { hook: string; reason: string } | undefined
    for (const { id, needle, text } of byTool.get(event.tool as string) ?? []) {
      if (needle !== undefined && !path.includes(needle)) continue
      if (needle === undefined) {
        advice.push({ hook: id, text })
        frames.push(adviseFrame(id, text))
      } else {
        refusal ??= { hook: id, reason: text }
        frames.push(refuseFrame(id, text))
      }
    }
    const verdict = { input: event.args, advice, proposals: [], questions: [], frames }
    return refusal ? { outcome: "refuse", ...verdict, refusal } : { outcome: "continue", ...verdict }
  }
}

const adviseFrame = (hook: string, text: string): HookFrame => ({
  type: "hook",
  on: "call",
  phase: "before",
  hook,
  action: "rule",
  effect: "advise",
  durationMs: 0,
  changed: false,
  advise: [{ text }],
})

const refuseFrame = (hook: string, reason: string): HookFrame => ({
  type: "hook",
  on: "call",
  phase: "before",
  hook,
  action: "rule",
  effect: "ask",
  durationMs: 0,
  changed: false,
  refuse: { reason },
})
