import { type Level, lowest, rank } from "../../effects/levels.ts"
import { PHASES } from "../phases.ts"
import { isPoint, pointRow } from "../points.ts"
import type { Hook } from "../policy.ts"
import { at, type HookCheck, type PolicySubject } from "./subject.ts"

const below = (a: Level, b: Level): boolean => rank(a) < rank(b)

export const closedBelowAsk: HookCheck = function* (subject) {
  const { failure, effect } = subject.hook
  if (failure !== "closed" || !below(effect, "ask")) return
  const message = `\`failure: closed\` needs an effect of \`ask\` or above, not \`${effect}\``
  yield { path: at(subject, "failure"), message, hint: "a hook that may not refuse cannot refuse by failing" }
}

export const floorAboveEffect: HookCheck = function* (subject) {
  const { floor, effect } = subject.hook
  if (!below(effect, floor)) return
  const message = `the floor \`${floor}\` is above the hook's effect \`${effect}\``
  yield { path: at(subject, "floor"), message, hint: `raise \`effect\`, or lower the floor to \`${effect}\`` }
}

export const floorUntrusted: HookCheck = function* (subject, { trusted }) {
  if (trusted || subject.hook.floor === "off") return
  const message = `\`${subject.hook.id}\` has a floor in a layer that is not trusted`
  yield { path: at(subject, "floor"), message, hint: "record the file with `detent trust`, or leave the floor out" }
}

export const floorAboveMax: HookCheck = function* (subject, { autonomyMax }) {
  const { floor } = subject.hook
  if (!below(autonomyMax, floor)) return
  const message = `the floor \`${floor}\` is above \`autonomy.max: ${autonomyMax}\`, so it could never hold`
  yield { path: at(subject, "floor"), message, hint: "raise `autonomy.max`, or lower the floor" }
}

export const recheckNeeded: HookCheck = function* (subject) {
  const { recheck, floor, failure } = subject.hook
  if (recheck || (floor === "off" && failure === "open")) return
  const why = floor === "off" ? "`failure: closed`" : "a floor"
  const message = `\`recheck: false\` does not go with ${why}`
  yield { path: at(subject, "recheck"), message, hint: "what must hold must hold for the final input too" }
}

/** What no caller and no host can raise: phase, point, `autonomy.max`, and ceilings without a condition. */
export function standingCeilings(
  hook: Hook,
  policy: PolicySubject,
): readonly { readonly level: Level; readonly name: string }[] {
  const { on, phase } = hook
  const limit = isPoint(on) ? pointRow(on).phases[phase]?.limit : undefined
  return [
    { level: PHASES[phase].ceiling, name: `the phase \`${phase}\`` },
    ...(limit === undefined ? [] : [{ level: limit, name: `the point \`${on}\`` }]),
    ...(policy.grant ? [{ level: policy.grant.max, name: `the grant of \`${policy.grant.server}\`` }] : []),
    { level: policy.autonomyMax, name: `\`autonomy.max: ${policy.autonomyMax}\`` },
    ...policy.ceilings
      .filter((ceiling) => ceiling.if === undefined)
      .map(({ max, id }) => ({ level: max, name: `the ceiling \`${id}\`` })),
  ]
}

export const alwaysLowered: HookCheck = function* (subject, policy) {
  const { effect, phase } = subject.hook
  const lowering = standingCeilings(subject.hook, policy).filter(({ level }) => below(level, effect))
  const level = lowest(...lowering.map((ceiling) => ceiling.level))
  if (lowering.length === 0) return
  const by = lowering.map(({ name }) => name).join(" and ")
  const watches = subject.text.phase === undefined ? "a hook without `phase` observes" : "an observe hook only watches"
  const hint = phase === "observe" ? watches : `write \`effect: ${level}\``
  yield {
    path: at(subject, "effect"),
    message: `the effect \`${effect}\` is always lowered to \`${level}\` by ${by}`,
    hint,
  }
}
