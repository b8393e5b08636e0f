import type { LibraryName } from "./library.ts"
import { overModel } from "./model.ts"
import type { Path } from "./places.ts"
import { type ModelOptions, type PartialText, PROMPT_SOURCES, type PromptText } from "./prompt.ts"
import { type PromptFile, placeIn, readPromptFile } from "./prompt-file.ts"

/** Where the texts of prompts are read. */
export interface PromptFiles {
  /**
   * @param base the folder in which a relative name starts
   * @throws Error with a sentence that says why it cannot be read
   */
  read(base: string | undefined, file: string): string
  library(name: LibraryName): string
}

/** A text of a prompt, and where it stands. */
export interface PromptPart {
  readonly text: string
  /** the file it is in; absent: the policy's own */
  readonly file?: { readonly shown: string; placeOf(offset: number): { line: number; column: number } }
}

/** A prompt with everything in it that its files hold. */
export interface WholePrompt {
  readonly body: PromptPart
  readonly options: ModelOptions
  readonly system?: PromptPart
  readonly partials: Readonly<Record<string, PromptPart>>
  /** the file that the prompt is in, with what is wrong with it */
  readonly file?: PromptFile & { readonly shown: string }
}

/** The ways to say what is asked that a prompt uses: exactly one is right. */
export const sourcesOf = (prompt: PromptText): string[] => PROMPT_SOURCES.filter((key) => prompt[key] !== undefined)

/**
 * Reads what a prompt is made of. What the hook says comes before what the file's front matter says.
 *
 * @throws Error with a sentence, where a file cannot be read.
 */
export function wholePrompt(prompt: string | PromptText, base: string | undefined, files: PromptFiles): WholePrompt {
  if (typeof prompt === "string") return { body: { text: prompt }, options: {}, partials: {} }
  const { text, file, library, ...own } = prompt
  const named = library !== undefined ? files.library(library as LibraryName) : file
  if (named === undefined) return withTexts({ text: text ?? "" }, own, undefined, base, files)
  const shown = library === undefined ? named : `library:${library}`
  const read = { ...readPromptFile(files.read(base, named), shown), shown }
  return withTexts({ text: read.body, file: read }, own, { read, base: folderOf(base, named) }, base, files)
}

interface FromFile {
  readonly read: PromptFile & { readonly shown: string }
  readonly base: string | undefined
}

function withTexts(
  body: PromptPart,
  own: ModelOptions,
  from: FromFile | undefined,
  base: string | undefined,
  files: PromptFiles,
): WholePrompt {
  const front = from?.read.options ?? {}
  const options = overModel(front, own)
  const inPolicy = (text: string): PromptPart => ({ text })
  const inFront = (text: string, path: Path): PromptPart => {
    const placeOf = (offset: number) => from?.read.locate(path, { text, offset }) ?? { line: 1, column: 1 }
    return { text, ...(from && { file: { shown: from.read.shown, placeOf } }) }
  }
  let system: PromptPart | undefined
  if (own.system !== undefined) system = inPolicy(own.system)
  else if (front.system !== undefined) system = inFront(front.system, ["system"])
  const partials = {
    ...partialsOf(front.partials, from?.base, files, (text, name) => inFront(text, ["partials", name])),
    ...partialsOf(own.partials, base, files, inPolicy),
  }
  return { body, options, ...(system && { system }), partials, ...(from && { file: from.read }) }
}

const partialsOf = (
  given: Readonly<Record<string, PartialText>> = {},
  base: string | undefined,
  files: PromptFiles,
  inPlace: (text: string, name: string) => PromptPart,
): Record<string, PromptPart> =>
  Object.fromEntries(
    Object.entries(given).map(([name, partial]) => {
      if (typeof partial === "string") return [name, inPlace(partial, name)]
      const text = files.read(base, partial.file)
      return [name, { text, file: { shown: partial.file, placeOf: (offset: number) => placeIn(text, offset) } }]
    }),
  )

/** The folder of a file that is named from another folder. */
function folderOf(base: string | undefined, file: string): string {
  const slash = file.lastIndexOf("/")
  const folder = slash < 0 ? "." : slash === 0 ? "/" : file.slice(0, slash)
  return folder.startsWith("/") || base === undefined ? folder : `${base}/${folder}`
}
