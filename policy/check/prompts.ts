import { isKey, KEY_NAMES, levelOf } from "../../effects/keys.ts"
import { reaches } from "../../effects/levels.ts"
import { normalise } from "../../effects/normalise.ts"
import type { Problem } from "../issues.ts"
import { nearest } from "../nearest.ts"
import { PROMPT_SOURCES, type PromptText } from "../prompt.ts"
import { sourcesOf, type WholePrompt, wholePrompt } from "../prompt-source.ts"
import { type Found, promptsIn } from "../walk.ts"
import type { HookCheck, HookSubject, PolicySubject } from "./subject.ts"

/** What was read of a prompt, or the sentence that says why it could not be. */
type Read = { readonly whole: WholePrompt } | { readonly why: string }

/** A prompt's files are read once for all checks of it. */
const read = new WeakMap<object, Read>()

/** The prompts of a hook with all that their files hold; undefined where no files are read here. */
export function* wholePrompts(
  subject: HookSubject,
  { promptFiles }: PolicySubject,
): Generator<Found<string | PromptText> & { readonly read: Read | undefined }> {
  for (const found of promptsIn(subject.text, subject.path)) {
    const { value } = found
    if (typeof value === "object" && sourcesOf(value).length !== 1) continue
    yield { ...found, read: readOnce(value, subject.hook.base, promptFiles) }
  }
}

function readOnce(
  prompt: string | PromptText,
  base: string | undefined,
  files: PolicySubject["promptFiles"],
): Read | undefined {
  const known = typeof prompt === "object" ? read.get(prompt) : undefined
  if (known) return known
  if (!files && isInFiles(prompt)) return undefined
  const answer = readNow(prompt, base, files ?? NO_FILES)
  if (typeof prompt === "object") read.set(prompt, answer)
  return answer
}

function readNow(prompt: string | PromptText, base: string | undefined, files: typeof NO_FILES): Read {
  try {
    return { whole: wholePrompt(prompt, base, files) }
  } catch (cause) {
    return { why: (cause as Error).message }
  }
}

const noFiles = (): never => {
  throw new Error("no files are read here")
}
const NO_FILES = { read: noFiles, library: noFiles } as NonNullable<PolicySubject["promptFiles"]>

const isInFiles = (prompt: string | PromptText): boolean =>
  typeof prompt === "object" &&
  (prompt.text === undefined || Object.values(prompt.partials ?? {}).some((partial) => typeof partial === "object"))

/** Whether what is asked can be read at all: exactly one of text, file and library, and the file is a good one. */
export const promptSource: HookCheck = function* (subject, policy) {
  for (const { value, path } of promptsIn(subject.text, subject.path)) {
    const sources = typeof value === "object" ? sourcesOf(value) : ["text"]
    if (sources.length === 1) continue
    const message = sources.length === 0 ? "the prompt says nothing" : `the prompt is said twice: ${sources.join(", ")}`
    yield { path, message, hint: `give it one of ${PROMPT_SOURCES.join(", ")}` }
  }
  for (const { path, read: one } of wholePrompts(subject, policy)) {
    if (one === undefined) continue
    if ("why" in one) yield { path, message: one.why }
    else yield* faultsOfFile(one.whole, path)
  }
}

function* faultsOfFile({ file }: WholePrompt, path: Problem["path"]): Generator<Problem> {
  for (const { message, hint, line, column } of file?.findings ?? []) {
    const elsewhere = {
      file: file!.shown,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }
    yield { path, message, ...(hint !== undefined && { hint }), elsewhere }
  }
}

/** An example's answer is one that this hook could give. A file is for many hooks: what is above one's level is left out there. */
export const promptExample: HookCheck = function* (subject, policy) {
  const { effect, phase } = subject.hook
  for (const { path, read: one } of wholePrompts(subject, policy)) {
    if (one === undefined || "why" in one) continue
    const { options, file } = one.whole
    for (const [index, { output }] of (options.examples ?? []).entries()) {
      for (const [key, value] of Object.entries(output)) {
        const inner = ["examples", index, "output", key]
        const isInFile = file?.options.examples === options.examples
        const place = isInFile ? file?.locate(inner) : undefined
        const elsewhere = place && { elsewhere: { file: file!.shown, ...place } }
        const problem = problemOfExample(key, value, phase, isInFile ? "run" : effect)
        if (problem) yield { path: elsewhere ? path : [...path, ...inner], at: "key", ...problem, ...elsewhere }
      }
    }
  }
}

function problemOfExample(
  key: string,
  value: unknown,
  phase: string,
  effect: HookSubject["hook"]["effect"],
): Pick<Problem, "message" | "hint"> | undefined {
  if (!isKey(key)) {
    const near = nearest(key, KEY_NAMES)
    const hint = near === undefined ? `the keys are ${KEY_NAMES.join(", ")}` : `did you mean \`${near}\`?`
    return { message: `an example answers with the unknown key \`${key}\``, hint }
  }
  if (!normalise(key, value, phase).ok) {
    const message = `an example's \`${key}\` has a value that does not fit the phase \`${phase}\``
    return { message, hint: "an example is an answer that counts" }
  }
  if (reaches(effect, levelOf(key))) return undefined
  const message = `an example answers with \`${key}\`, which the hook's effect \`${effect}\` drops`
  return { message, hint: `write \`effect: ${levelOf(key)}\`, or another example` }
}

/** A model that is asked where nothing of its answer can count costs money and says nothing. */
export const promptUnheard: HookCheck = function* (subject) {
  const { effect, phase } = subject.hook
  if (phase !== "observe" && effect !== "off") return
  for (const { path } of promptsIn(subject.text, subject.path)) {
    const why = phase === "observe" ? "the phase `observe` honours nothing" : "the hook's effect is `off`"
    yield {
      path,
      message: `what this prompt's model says never counts: ${why}`,
      hint: "ask it in another phase, or drop it",
    }
  }
}
