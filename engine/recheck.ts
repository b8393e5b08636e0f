import { cut, dropOf } from "../clamp/cut.ts"
import { type JsonObject, sameJson } from "../effects/json.ts"
import { KEY_NAMES, type Key } from "../effects/keys.ts"
import type { Output } from "../effects/outputs.ts"
import { failed } from "../frames/failures.ts"
import type { AtLevel, CompiledHook } from "./compile.ts"
import { tellDropped, tellOutput } from "./hook-frame.ts"
import { invoke, outputOf } from "./invoke.ts"
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
  for (const { by, at, result } of looks) settle(moment, by, at, result, counts)
}

function looksAgain(moment: Moment, by: CompiledHook, unseen: boolean): boolean {
  if (!by.hook.recheck || by.matches(moment.event) === "no") return false
  const at = moment.at(by)
  if (!at.refuses || skipOf(moment.op, by, at)) return false
  return !unseen || !moment.seen.some((seen) => seen.by === by && sameInput(seen.event, moment.event))
}

const sameInput = (a: JsonObject, b: JsonObject): boolean =>
  a === b || (sameJson(a.args, b.args) && sameJson(a.meta, b.meta))

interface Look {
  readonly by: CompiledHook
  readonly at: AtLevel
  readonly result: ActionResult
}

async function look(moment: Moment, by: CompiledHook): Promise<Look> {
  const at = moment.at(by)
  moment.seen.push({ by, event: moment.event })
  return { by, at, result: await answer(moment, by, at) }
}

async function answer(moment: Moment, by: CompiledHook, at: AtLevel): Promise<ActionResult> {
  if (by.matches(moment.event) === "failed") return { failed: failed("condition") }
  if (by.rule) return ruleResult(by, moment.event)
  return invoke(moment.core, moment.op, by, at.clamped.effect, moment.event)
}

function settle(moment: Moment, by: CompiledHook, at: AtLevel, result: ActionResult, counts: Counts): undefined {
  const frame = moment.draft(by, at, 0)
  frame.recheck = true
  if ("skipped" in result) {
    frame.skipped = "no-model"
    frame.notes = [result.warning]
    return moment.emit(by, frame)
  }
  if ("failed" in result) return moment.fail(by, at, frame, result.failed)
  const raw = outputOf(result)
  const answer = raw === undefined ? undefined : cut(raw, at.clamped, moment.phase)
  if (!answer?.kept) {
    tellDropped(frame, answer?.dropped ?? [])
    return moment.fail(by, at, frame, failed("bad-output"))
  }
  const counting: Record<string, unknown> = {}
  const dropped = [...answer.dropped]
  for (const key of KEY_NAMES) {
    if (answer.kept[key] === undefined) continue
    if (counts.includes(key)) counting[key] = answer.kept[key]
    else dropped.push(dropOf(key, at.clamped, "recheck"))
  }
  const kept = counting as Output
  if (kept.refuse) moment.refuse(by, kept.refuse)
  if (kept.ask) moment.question({ hook: by.hook.id, ...kept.ask })
  tellOutput(frame, kept)
  tellDropped(frame, dropped)
  return moment.emit(by, frame)
}
