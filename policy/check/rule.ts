import type { JsonObject } from "../../effects/json.ts"
import { isKey, KEY_NAMES, type Key, levelOf } from "../../effects/keys.ts"
import { reaches } from "../../effects/levels.ts"
import { normalise } from "../../effects/normalise.ts"
import { nearest } from "../nearest.ts"
import { PHASES, type Phase } from "../phases.ts"
import { type Path, showPath } from "../places.ts"
import { isComputed, stepsIn } from "../walk.ts"
import { at, type HookCheck, type HookSubject } from "./subject.ts"

interface RuleText {
  readonly rule: JsonObject
  readonly path: Path
}

/** A hook's rules: its own, or those of its workflow's steps, which say nothing to the engine and only pass on. */
const ownRule = (subject: HookSubject): RuleText | undefined =>
  subject.text.rule === undefined ? undefined : { rule: subject.text.rule as JsonObject, path: at(subject, "rule") }

function* rulesOf(subject: HookSubject): Generator<RuleText> {
  const own = ownRule(subject)
  if (own) yield own
  for (const { step, at: path } of stepsIn(subject.text, subject.path)) {
    if (step.rule !== undefined) yield { rule: step.rule as JsonObject, path: [...path, "rule"] }
  }
}

export const unknownRuleKey: HookCheck = function* (subject) {
  for (const { rule, path } of rulesOf(subject)) {
    if (isComputed(rule)) continue
    for (const key of Object.keys(rule)) {
      if (isKey(key)) continue
      const near = nearest(key, KEY_NAMES)
      const known = near === undefined ? `the keys are ${KEY_NAMES.join(", ")}` : `did you mean \`${near}\`?`
      const hint = key === "allow" ? "nothing can allow: a hook without an opinion answers {}" : known
      yield { path: [...path, key], at: "key", message: `unknown key \`${key}\` in \`${showPath(path)}\``, hint }
    }
  }
}

const WANTED: Readonly<Record<Key, string>> = Object.freeze({
  advise: "it is a text, {text, severity?: info|warning|error, data?}, or a list of them",
  ask: "it is a text, or {question, choices?, timeoutMs?}",
  refuse: "it is a text, or {reason, code?, data?}",
  propose: "it is any of {input, result, error, script, note}",
  apply:
    "before: {input, meta?}, {result}, {target} or {merge}; onSuccess: {result} or {merge}; onError: {result}, {error} or {merge}",
  run: "one of {call: {tool, args?}}, {argv}, {module}, and in onError {retry: true} or {retry: {input}}",
})

/** Whether any part of a value is only known when the hook runs. */
const isOpen = (value: unknown): boolean =>
  isComputed(value) || (typeof value === "object" && value !== null && Object.values(value).some(isOpen))

const PHASES_THAT_ACT: readonly Phase[] = ["before", "onSuccess", "onError"]

/** A prompt is replaced by a text, and nothing else is. */
function* inputOfNoPoint({ hook: { on } }: HookSubject, { input }: JsonObject, path: Path) {
  if (input === undefined || (on === "prompt") === (typeof input === "string")) return
  const hint = on === "prompt" ? "a prompt is replaced by a text" : "arguments are replaced by an object"
  yield {
    path: [...path, "apply", "input"],
    message: `the value of \`apply.input\` does not fit the point \`${on}\``,
    hint,
  }
}

export const valueDoesNotFit: HookCheck = function* (subject) {
  const own = ownRule(subject)
  if (!own || isComputed(own.rule)) return
  const { phase } = subject.hook
  for (const key of KEY_NAMES) {
    const value = own.rule[key]
    if (!Object.hasOwn(own.rule, key) || isOpen(value)) continue
    if (normalise(key, value, phase).ok) {
      if (key === "apply") yield* inputOfNoPoint(subject, value as JsonObject, own.path)
      continue
    }
    const elsewhere = PHASES_THAT_ACT.some((other) => normalise(key, value, other).ok)
    // A key that the phase always drops is never looked at: that is a warning, below.
    if (elsewhere && !reaches(PHASES[phase].ceiling, levelOf(key))) continue
    const where = elsewhere ? `the phase \`${phase}\`` : `\`${key}\``
    yield { path: [...own.path, key], message: `the value of \`${key}\` does not fit ${where}`, hint: WANTED[key] }
  }
}

export const keyAboveEffect: HookCheck = function* (subject) {
  const own = ownRule(subject)
  if (!own || isComputed(own.rule)) return
  const { effect, phase } = subject.hook
  for (const key of Object.keys(own.rule).filter(isKey)) {
    const level = levelOf(key)
    const path = [...own.path, key]
    if (!reaches(PHASES[phase].ceiling, level)) {
      const message = `\`${key}\` is always dropped in the phase \`${phase}\``
      yield { path, at: "key", message, hint: `the phase lets through \`${PHASES[phase].ceiling}\` at most` }
    } else if (!reaches(effect, level)) {
      const message = `\`${key}\` needs the level \`${level}\` and is dropped, since the hook's effect is \`${effect}\``
      yield { path, at: "key", message, hint: `write \`effect: ${level}\`` }
    }
  }
}
