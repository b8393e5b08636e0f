import { showFinding } from "./findings.ts"
import type { Action, Hook, Policy } from "./policy.ts"
import type { PromptText } from "./prompt.ts"
import { type PromptFiles, wholePrompt } from "./prompt-source.ts"

/**
 * The same policy with the texts of its prompts in place of the files that hold them: what these become later is no part
 * of it.
 *
 * @param cwd where files of hooks without a file start
 * @throws Error with a sentence, where one cannot be used.
 */
export function withPromptTexts(policy: Policy, cwd: string, files: PromptFiles): Policy {
  const hookOf = (hook: Hook | null): Hook | null =>
    hook && { ...hook, action: actionOf(hook.action, (prompt) => textsOf(prompt, hook.base ?? cwd, files)) }
  return { ...policy, hooks: policy.hooks.map(hookOf) }
}

function actionOf(action: Action, texts: (prompt: PromptText) => PromptText): Action {
  if (action.kind === "workflow") {
    const steps = Object.entries(action.steps).map(
      ([name, step]) => [name, { ...step, action: actionOf(step.action, texts) }] as const,
    )
    return { ...action, steps: Object.fromEntries(steps) }
  }
  if (action.kind !== "prompt" || typeof action.prompt === "string") return action
  return { ...action, prompt: texts(action.prompt) }
}

function textsOf(prompt: PromptText, base: string, files: PromptFiles): PromptText {
  const { body, options, system, partials, file } = wholePrompt(prompt, base, files)
  const [finding] = file?.findings ?? []
  if (finding) throw new Error(showFinding(finding))
  const texts = Object.fromEntries(Object.entries(partials).map(([name, { text }]) => [name, text]))
  return {
    ...options,
    text: body.text,
    ...(system ? { system: system.text } : {}),
    ...(Object.keys(texts).length > 0 ? { partials: texts } : {}),
  }
}
