import { ceilingsNeedEngine, hookLogicNeedsEngine } from "./logic.ts"
import { hookNeedsEngine } from "./matchers.ts"
import type { PolicySubject } from "./subject.ts"

/** Whether anything in a file needs the regex engine. */
export const needsEngine = ({ hooks, ceilings }: PolicySubject): boolean =>
  hooks.some(({ hook, text, path }) => hookNeedsEngine(hook) || hookLogicNeedsEngine(text, path)) ||
  ceilingsNeedEngine(ceilings)
