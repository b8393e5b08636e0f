import { rank } from "../../effects/levels.ts"
import type { Problem } from "../issues.ts"
import type { Hook } from "../policy.ts"
import { logicIn } from "../walk.ts"
import { standingCeilings } from "./levels.ts"
import { claimsRead, logicProblems, orderingProblems } from "./logic.ts"
import { at, type HookCheck, type HookSubject, type PolicyCheck, type PolicySubject } from "./subject.ts"

/** Whether a hook has a way to refuse or to ask: a rule says all that it can say. */
const canSayNo = ({ action, failure }: Hook): boolean =>
  action.kind !== "rule" ||
  failure === "closed" ||
  Object.hasOwn(action.rule, "refuse") ||
  Object.hasOwn(action.rule, "ask")

/** Whether a hook can refuse at all, were it not for the ceilings with a condition. */
const mayRefuse = (subject: HookSubject, policy: PolicySubject): boolean =>
  canSayNo(subject.hook) &&
  rank(subject.hook.effect) >= rank("ask") &&
  standingCeilings(subject.hook, policy).every(({ level }) => rank(level) >= rank("ask"))

export const ceilingDisables: PolicyCheck = function* (policy) {
  const guards = policy.hooks.filter((subject) => mayRefuse(subject, policy)).map(({ hook }) => `\`${hook.id}\``)
  if (guards.length === 0) return
  for (const ceiling of policy.ceilings) {
    if (ceiling.if === undefined || rank(ceiling.max) >= rank("ask")) continue
    const message = `where it matches, the ceiling \`${ceiling.id}\` switches off hooks that may refuse: ${guards.join(", ")}`
    yield { path: at(ceiling, "max"), message, hint: "a ceiling of `ask` still lets them refuse" }
  }
}

export const ceilingLogic: PolicyCheck = function* ({ ceilings }) {
  for (const ceiling of ceilings) {
    if (ceiling.if !== undefined) yield* logicProblems(ceiling.if, at(ceiling, "if"))
  }
}

export const ceilingOrdering: PolicyCheck = function* ({ ceilings }) {
  for (const ceiling of ceilings) {
    if (ceiling.if !== undefined) yield* orderingProblems(ceiling.if, at(ceiling, "if"))
  }
}

const claims = (path: Problem["path"], what: string): Problem => ({
  path,
  message: `${what} reads \`caller.claims\`, which the caller says of itself`,
  hint: "read what its token's record says, such as `caller.id`",
})

export const ceilingReadsClaims: PolicyCheck = function* ({ ceilings }) {
  for (const ceiling of ceilings) {
    const where = ceiling.if === undefined ? undefined : claimsRead(ceiling.if)
    if (where) yield claims([...at(ceiling, "if"), ...where], `the ceiling \`${ceiling.id}\``)
  }
}

export const guardReadsClaims: HookCheck = function* (subject) {
  if (rank(subject.hook.effect) < rank("ask")) return
  for (const { value, path } of logicIn(subject.text, subject.path)) {
    const where = claimsRead(value)
    if (where) yield claims([...path, ...where], `\`${subject.hook.id}\``)
  }
}
