import { compilePromptTemplate, type PromptTemplate } from "../../prompts/sections.ts"
import { compileTemplate } from "../../prompts/template.ts"
import type { Problem } from "../issues.ts"
import { nearest } from "../nearest.ts"
import type { Path } from "../places.ts"
import { carries } from "../points.ts"
import type { PromptPart, WholePrompt } from "../prompt-source.ts"
import { STEPS } from "../roots.ts"
import { textsIn } from "../walk.ts"
import { FIELD_NAMES, fieldsOf, notCarried, placeOf } from "./fields.ts"
import { fieldRows, unknownName } from "./names.ts"
import { wholePrompts } from "./prompts.ts"
import type { HookCheck, HookSubject, PolicySubject } from "./subject.ts"

type Where = Pick<Problem, "path" | "part" | "elsewhere">

/** A text in which values stand, and where a place of it is. */
interface Text {
  readonly template: PromptTemplate
  /** every name that is no text by accident */
  readonly names: readonly string[]
  where(offset: number, partial?: string): Where
}

/** A workflow's steps see what came of the steps before. */
const namesAt = (path: Path): readonly string[] => (path[2] === "workflow" ? [...FIELD_NAMES, STEPS] : FIELD_NAMES)

/** Every text of a hook in which values stand: those of its rules, and what its prompts are made of. */
function* textsOf(subject: HookSubject, policy: PolicySubject): Generator<Text> {
  for (const { value: text, path } of textsIn(subject.text, subject.path)) {
    const names = namesAt(path)
    const template = { ...compileTemplate(text, { roots: names }), tags: [], faults: [] }
    yield { template, names, where: (offset) => ({ path, part: { text, offset } }) }
  }
  for (const { path, value, read } of wholePrompts(subject, policy)) {
    if (read === undefined || "why" in read) continue
    const inText = typeof value === "string" ? path : [...path, "text"]
    yield promptText(read.whole.body, inText, path, read.whole)
    if (read.whole.system) yield promptText(read.whole.system, [...path, "system"], path, read.whole)
  }
}

/** @param own where the text stands, if it is in the policy itself */
function promptText(part: PromptPart, own: Path, prompt: Path, whole: WholePrompt): Text {
  const partials = Object.fromEntries(Object.entries(whole.partials).map(([name, { text }]) => [name, text]))
  const names = namesAt(prompt)
  const template = compilePromptTemplate(part.text, { roots: names, partials })
  return {
    template,
    names,
    where(offset, partial) {
      const of = partial === undefined ? part : whole.partials[partial]!
      const path = partial === undefined ? own : [...prompt, "partials", partial]
      if (!of.file) return { path, part: { text: of.text, offset } }
      return { path: prompt, elsewhere: { file: of.file.shown, ...of.file.placeOf(offset) } }
    },
  }
}

/** Raw tags, other delimiters, tags that do not match, partials that are not there. */
export const promptTemplate: HookCheck = function* (subject, policy) {
  for (const { template, where } of textsOf(subject, policy)) {
    for (const { message, hint, offset, partial } of template.faults) yield { ...where(offset, partial), message, hint }
  }
}

interface Named {
  readonly name: string
  readonly shown: string
  readonly offset: number
  readonly partial?: string
}

/** The first mention of each name. */
const once = <T extends Named>(names: readonly T[]): T[] =>
  [...new Map([...names].reverse().map((one) => [one.name, one])).values()].reverse()

const rootOf = (path: string): string => path.split(".")[0]!

/** The fields that a text reads: what follows an at sign, and the tags outside of sections. */
const fieldsIn = ({ placeholders, tags }: PromptTemplate): (Named & { readonly path: string })[] => [
  ...placeholders.map((one) => ({ ...one, name: rootOf(one.path), shown: `@${one.path}` })),
  ...tags.flatMap((one) => (one.within ? [] : [{ ...one, name: rootOf(one.path), shown: `{{${one.path}}}` }])),
]

export const placeholderOnMissingField: HookCheck = function* (subject, policy) {
  const { on, phase } = subject.hook
  const point = placeOf(on, phase)
  if (point === undefined) return
  for (const { template, where } of textsOf(subject, policy)) {
    for (const { name, shown, offset, partial } of once(fieldsIn(template))) {
      if (carries(point, name, phase) || !FIELD_NAMES.includes(name)) continue
      const at = where(offset, partial)
      yield { ...notCarried(point, phase, name, at.path, `the text holds \`${shown}\``), ...at }
    }
  }
}

export const unknownPlaceholder: HookCheck = function* (subject, policy) {
  const { on, phase } = subject.hook
  const point = placeOf(on, phase)
  if (point === undefined) return
  for (const { template, names, where } of textsOf(subject, policy)) {
    const literal = template.unknown.map((one) => ({ ...one, shown: `@${one.name}` }))
    for (const { name, shown, offset, partial } of once(literal)) {
      const near = nearest(name, fieldsOf(point, phase))
      const hint = near === undefined ? "write `@@` for an at sign that means nothing" : `did you mean \`@${near}\`?`
      yield {
        ...where(offset, partial),
        message: `\`${shown}\` stands for nothing here and stays as it is written`,
        hint,
      }
    }
    const unknown = fieldsIn(template).flatMap(({ path, ...one }) => {
      const found = path === "" ? undefined : unknownName(path, fieldRows(point, phase))
      return found === undefined || names.includes(found.name) ? [] : [{ ...one, ...found }]
    })
    for (const { name, hint, shown, offset, partial } of once(unknown)) {
      yield { ...where(offset, partial), message: `no event has \`${name}\`, so \`${shown}\` is always null`, hint }
    }
  }
}
