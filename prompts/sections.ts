import Mustache from "mustache"
import { ownMember } from "../effects/own.ts"
import { compileTemplate, encodeValue, type Template } from "./template.ts"

/** Something in a text that no template may hold. */
export interface TemplateFault {
  readonly message: string
  readonly hint: string
  /** index in the text; with `partial`, in that one's text */
  readonly offset: number
  readonly partial?: string
}

/** A tag that reads a value: `{{name}}`, `{{#name}}` or `{{^name}}`. */
export interface TemplateTag {
  readonly path: string
  readonly offset: number
  /** inside a section, where a name may be a member of the section's own value */
  readonly within: boolean
  readonly partial?: string
}

/** A text with `@placeholders` and Mustache sections, ready to be filled in. Offsets are of the text, or of the partial. */
export interface PromptTemplate extends Template {
  readonly placeholders: readonly (Template["placeholders"][number] & { readonly partial?: string })[]
  readonly unknown: readonly (Template["unknown"][number] & { readonly partial?: string })[]
  readonly tags: readonly TemplateTag[]
  /** why it may not be used; one with faults renders nothing */
  readonly faults: readonly TemplateFault[]
}

export interface PromptTemplateOptions {
  /** the fields of the event; another root is literal text after an `@` */
  readonly roots: Iterable<string>
  /** texts by the name that `{{> name}}` gives */
  readonly partials?: Readonly<Record<string, string>>
}

type Token = [symbol: string, value: string, start: number, end: number, inner?: Token[] | string]

const DELIMITERS: [string, string] = ["{{", "}}"]
const TAG = "{{"

/**
 * Compiles a prompt's text once: `@placeholders` as everywhere, and Mustache sections, inverted sections and partials to
 * shape the text around them. Every value goes through the same encoding. Raw tags and changed delimiters are faults: both
 * paste text that a caller chose.
 */
export function compilePromptTemplate(text: string, options: PromptTemplateOptions): PromptTemplate {
  const roots = [...options.roots]
  if (!text.includes(TAG)) return { ...compileTemplate(text, { roots }), tags: [], faults: [] }
  const writer = new EncodingWriter(roots)
  const partials = new Map(Object.entries(options.partials ?? {}))
  const reading = new Reading(writer, partials)
  reading.read(text)
  const { tags, faults, placeholders, unknown } = reading
  return {
    placeholders,
    unknown,
    tags,
    faults,
    render: (event) => (faults.length > 0 ? "" : writer.fill(text, event, (name) => partials.get(name))),
  }
}

/** Finds everything in a text and its partials that a check wants to know. */
class Reading {
  readonly tags: TemplateTag[] = []
  readonly faults: TemplateFault[] = []
  readonly placeholders: PromptTemplate["placeholders"][number][] = []
  readonly unknown: PromptTemplate["unknown"][number][] = []
  readonly #writer: EncodingWriter
  readonly #partials: ReadonlyMap<string, string>
  readonly #open: string[] = []
  /** partials that were read to their end: once is enough, however often they are included */
  readonly #read = new Set<string>()

  constructor(writer: EncodingWriter, partials: ReadonlyMap<string, string>) {
    this.#writer = writer
    this.#partials = partials
  }

  read(text: string, within = false): undefined {
    let tokens: Token[]
    try {
      tokens = this.#writer.parse(text, DELIMITERS) as Token[]
    } catch (cause) {
      const [, said = "unclosed tag", at = "0"] = /^(.*?)(?: at (\d+))?$/s.exec((cause as Error).message) ?? []
      const message = `the tags do not match: ${said.charAt(0).toLowerCase()}${said.slice(1)}`
      return this.#fault(message, "close every `{{#name}}` with `{{/name}}`", Number(at))
    }
    this.#walk(tokens, within)
  }

  /** Which text an offset is of. */
  #of(): { partial?: string } {
    const partial = this.#open.at(-1)
    return partial === undefined ? {} : { partial }
  }

  #fault(message: string, hint: string, offset: number): undefined {
    this.faults.push({ message, hint, offset, ...this.#of() })
  }

  #walk(tokens: readonly Token[], within: boolean): void {
    for (const [symbol, value, offset, , inner] of tokens) {
      if (symbol === "text") this.#text(value, offset)
      else if (symbol === "&") this.#fault(RAW, `write \`{{${value}}}\` or \`@${value}\`: both are encoded`, offset)
      else if (symbol === "=") this.#fault("a template's delimiters stay `{{` and `}}`", "leave this tag out", offset)
      else if (symbol === ">") this.#partial(value, offset, within)
      else if (symbol !== "!") {
        this.tags.push({ path: value, offset, within, ...this.#of() })
        if (Array.isArray(inner)) this.#walk(inner, true)
      }
    }
  }

  #text(text: string, start: number): void {
    const { placeholders, unknown } = this.#writer.textOf(text)
    const here = <T extends { offset: number }>(one: T) => ({ ...one, offset: start + one.offset, ...this.#of() })
    this.placeholders.push(...placeholders.map(here))
    this.unknown.push(...unknown.map(here))
  }

  #partial(name: string, offset: number, within: boolean): undefined {
    const text = this.#partials.get(name)
    if (text === undefined) {
      const known = [...this.#partials.keys()]
      const hint = known.length > 0 ? `the partials are ${known.join(", ")}` : "give it in `partials`"
      return this.#fault(`there is no partial \`${name}\``, hint, offset)
    }
    if (this.#open.includes(name)) {
      return this.#fault(`the partial \`${name}\` includes itself`, "a text without end is no prompt", offset)
    }
    const reading = `${within} ${name}`
    if (this.#read.has(reading)) return
    this.#open.push(name)
    this.read(text, within)
    this.#open.pop()
    this.#read.add(reading)
  }
}

const RAW = "a raw tag pastes a value as it is, and no value may be pasted"

/** Mustache's own writer, but for three things: names are own members, values are JSON, and texts hold placeholders. */
class EncodingWriter extends Mustache.Writer {
  readonly #roots: readonly string[]
  readonly #texts = new Map<string, Template>()
  #event: unknown

  constructor(roots: readonly string[]) {
    super()
    this.#roots = roots
  }

  fill(text: string, event: unknown, partials: (name: string) => string | undefined): string {
    this.#event = event
    return this.render(text, new OwnContext(event), partials as never, { tags: DELIMITERS })
  }

  textOf(text: string): Template {
    const known = this.#texts.get(text)
    if (known) return known
    const template = compileTemplate(text, { roots: this.#roots })
    this.#texts.set(text, template)
    return template
  }

  override escapedValue(token: string[], context: Mustache.Context): string {
    return encodeValue(context.lookup(token[1]!))
  }

  override rawValue(token: string[]): string {
    return this.textOf(token[1]!).render(this.#event)
  }
}

/** Names are looked up in the innermost section first, then outwards; a prototype's members are nobody's. */
class OwnContext extends Mustache.Context {
  override push(view: unknown): OwnContext {
    return new OwnContext(view, this)
  }

  override lookup(name: string): unknown {
    if (name === ".") return this.view
    const [first, ...rest] = name.split(".")
    let context: Mustache.Context | undefined = this
    while (context && ownMember(context.view, first!) === undefined) context = context.parent
    const value = [first!, ...rest].reduce<unknown>(ownMember, context?.view)
    // Mustache would call it and paste what it answers.
    return typeof value === "function" ? undefined : value
  }
}
