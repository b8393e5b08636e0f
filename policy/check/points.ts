import { HAPPENING_TYPES, takesKind } from "../happenings.ts"
import { nearest } from "../nearest.ts"
import type { Phase } from "../phases.ts"
import { isPoint, POINT_NAMES, phasesOf } from "../points.ts"
import { at, type HookCheck } from "./subject.ts"

const meant = (word: string, known: readonly string[], what: string): string => {
  const near = nearest(word, known)
  return near === undefined ? `the ${what} are ${known.join(", ")}` : `did you mean \`${near}\`?`
}

export const unknownPoint: HookCheck = function* (subject) {
  const { on, phase } = subject.hook
  if (phase === "observe" || isPoint(on)) return
  // `call.` and `script.started` are prefixes that someone means; `cal` is one by accident.
  const observed = on.includes(".") && HAPPENING_TYPES.some((kind) => takesKind(on, kind))
  const hint = observed ? "a prefix of an event kind wants `phase: observe`" : meant(on, POINT_NAMES, "points")
  yield { path: at(subject, "on"), message: `unknown point \`${on}\``, hint }
}

export const phaseOfNoPoint: HookCheck = function* (subject) {
  const { on, phase } = subject.hook
  if (phase === "observe" || !isPoint(on)) return
  const phases = phasesOf(on)
  if (phase === "prefix" && phases.includes("prefix")) {
    const message = "the phase `prefix` takes inline source only"
    yield { path: at(subject, "phase"), message, hint: "write its lines as `script.prefix` at the top of the policy" }
  } else if (!phases.includes(phase)) {
    const usable: readonly Phase[] = [...phases.filter((name) => name !== "prefix"), "observe"]
    const hint = `its phases are ${usable.join(", ")}`
    yield { path: at(subject, "phase"), message: `the point \`${on}\` has no phase \`${phase}\``, hint }
  }
}

export const prefixOfNoKind: HookCheck = function* (subject) {
  const { on, phase } = subject.hook
  if (phase !== "observe" || HAPPENING_TYPES.some((kind) => takesKind(on, kind))) return
  const hint = meant(on, HAPPENING_TYPES, "kinds")
  yield { path: at(subject, "on"), message: `no event kind begins with \`${on}\``, hint }
}
