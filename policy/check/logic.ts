import type { HookText } from "../build.ts"
import type { Problem } from "../issues.ts"
import { orderingOnMaybeMissing } from "../logic/ordering.ts"
import { findLogicProblems } from "../logic/problems.ts"
import { usesRegex, variablesOf } from "../logic/uses.ts"
import type { Path } from "../places.ts"
import { logicIn } from "../walk.ts"
import type { CeilingSubject, HookCheck } from "./subject.ts"

/** The parts of a JSON pointer. */
const partsOf = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))

/** The dotted paths of the variables that a rule reads from the event, and where; the whole event is none. */
export const variablesIn = (rule: unknown): readonly { readonly path: string; readonly at: Path }[] =>
  variablesOf(rule).flatMap(({ path, at }) => (path === "" ? [] : [{ path, at: partsOf(at) }]))

/** Where a rule reads what the caller says of itself; undefined where it does not. */
export const claimsRead = (rule: unknown): Path | undefined => {
  const found = variablesOf(rule).find(({ path }) => path === "caller.claims" || path.startsWith("caller.claims."))
  return found && partsOf(found.at)
}

/** What is certainly wrong in a rule that stands at a path. */
export const logicProblems = (rule: unknown, path: Path): Problem[] =>
  findLogicProblems(rule).map(({ path: within, message, hint }) => ({
    path: [...path, ...within],
    at: "key",
    message,
    ...(hint !== undefined && { hint }),
  }))

export const badLogic: HookCheck = function* (subject) {
  for (const { value, path } of logicIn(subject.text, subject.path)) yield* logicProblems(value, path)
}

/** The ordering tests of a rule on variables that may be missing. */
export function* orderingProblems(rule: unknown, path: Path): Generator<Problem> {
  for (const { path: variable, at } of orderingOnMaybeMissing(rule)) {
    yield {
      path: [...path, ...partsOf(at)],
      message: `\`${variable}\` may be missing, and then counts as 0 in this test`,
      hint: `guard it with {"!": [{"missing": ["${variable}"]}]} in an \`and\`, or give it a default`,
    }
  }
}

export const orderingOnMissing: HookCheck = function* (subject) {
  for (const { value, path } of logicIn(subject.text, subject.path)) yield* orderingProblems(value, path)
}

/** Whether a hook's conditions and computed values need the regex engine. */
export const hookLogicNeedsEngine = (text: HookText, path: Path): boolean =>
  [...logicIn(text, path)].some(({ value }) => usesRegex(value))

export const ceilingsNeedEngine = (ceilings: readonly CeilingSubject[]): boolean =>
  ceilings.some((ceiling) => ceiling.if !== undefined && usesRegex(ceiling.if))
