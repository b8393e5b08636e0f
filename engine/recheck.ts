import type { Dropped } from "../clamp/clamp.ts"
import { dropOf } from "../clamp/cut.ts"
import { type JsonObject, sameJson } from "../effects/json.ts"
import { KEY_NAMES, type Key } from "../effects/keys.ts"
import type { Output } from "../effects/outputs.ts"
import { failed } from "../frames/failures.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import { inputOf } from "./event.ts"
import { heard } from "./honour.ts"
import { tellDropped, tellOutput } from "./hook-frame.ts"
import { invoke } from "./invoke.ts"
import { type Moment, ruleResult, skipOf } from "./moment.ts"
import type { ActionResult } from "./ports.ts"

/** What counts when a hook looks again: after a rewrite its doubts, after a yes only its refusal. */
type Counts = readonly Key[]
export const AFTER_REWRITE: Counts = ["ask", "refuse"]
export const AFTER_YES: Counts = ["refuse"]

/**
 * Lets every hook that may refuse look at the final input, also those that it did not concern before.
 *
 * Nothing that they say can change the input, so they run side by side; frames keep the declared order.
 *
 * @param unseen only those that have not seen this input
 */
export async function recheck(moment: Moment, counts: Counts, unseen: boolean): Promise<void> {
  const again = moment.concerned().hooks.filter((by) => looksAgain(moment, by, unseen))
  const looks = await Promise.all(again.map((by) => look(moment, by)))
  for (const one of looks) settle(moment, one, counts)
  moment.heedCancellation()
}

function looksAgain(moment: Moment, by: CompiledHook, unseen: boolean): boolean {
  if (!by.hook.recheck || by.matches(moment.event) === "no") return false
  const at = moment.at(by)
  if (!at.refuses || skipOf(moment.op, by, at)) return false
  return !unseen || !moment.seen.some((seen) => seen.by === by && sameInput(seen.event, moment.event))
}

const sameInput = (a: JsonObject, b: JsonObject): boolean =>
  a === b || (sameJson(inputOf(a), inputOf(b)) && sameJson(a.meta, b.meta))

interface Look {
  readonly by: CompiledHook
  readonly at: AtLevel
  readonly durationMs: number
  readonly result: ActionResult
}

async function look(moment: Moment, by: CompiledHook): Promise<Look> {
  const { now } = moment.core.ports
  const at = moment.at(by)
  moment.seen.push({ by, event: moment.event })
  const began = now()
  const result = await answer(moment, by, at)
  return { by, at, durationMs: at.fixed ? 0 : now() - began, result }
}

async function answer(moment: Moment, by: CompiledHook, at: AtLevel): Promise<ActionResult> {
  if (by.matches(moment.event) === "failed") return { failed: failed("condition") }
  if (by.rule && !by.hook.grant) return ruleResult(by, moment.event)
  return invoke(moment.core, moment.op, by, at.clamped.effect, moment.event)
}

function settle(moment: Moment, { by, at, durationMs, result }: Look, counts: Counts): undefined {
  const frame = moment.draft(by, at, durationMs)
  frame.recheck = true
  const answer = heard(moment, by, at, frame, result)
  if (!answer) return
  const counting: Record<string, unknown> = {}
  const dropped: Dropped[] = []
  for (const key of KEY_NAMES) {
    if (answer[key] === undefined) continue
    if (counts.includes(key)) counting[key] = answer[key]
    else dropped.push(dropOf(key, at.clamped, "recheck"))
  }
  const kept = counting as Output
  if (kept.refuse) moment.refuse(by, kept.refuse)
  if (kept.ask) moment.question(by, kept.ask)
  tellDropped(frame, dropped)
  tellOutput(frame, kept)
  moment.emit(by, frame)
}
