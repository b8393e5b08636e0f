import type { JsonObject } from "../effects/json.ts"
import { isKey, type Key } from "../effects/keys.ts"
import type { PromptExample } from "../policy/prompt.ts"
import type { WholePrompt } from "../policy/prompt-source.ts"
import type { Message } from "./request.ts"
import { compilePromptTemplate, type PromptTemplate } from "./sections.ts"

/** A prompt ready to be filled in with an event. */
export interface CompiledPrompt {
  /** @param keys those that count: an example that answers with another is left out */
  messages(event: JsonObject, keys: readonly Key[]): Message[]
  /** what the prompt itself says in the system message; no value stands there unless its text puts it there */
  system(event: JsonObject): string | undefined
}

/**
 * Compiles a prompt once.
 *
 * @param roots the fields of the event
 * @throws Error with a sentence, where a template may not be used.
 */
export function compilePrompt(prompt: WholePrompt, roots: readonly string[]): CompiledPrompt {
  const partials = Object.fromEntries(Object.entries(prompt.partials).map(([name, { text }]) => [name, text]))
  const compile = (text: string): PromptTemplate => {
    const template = compilePromptTemplate(text, { roots, partials })
    const [fault] = template.faults
    if (fault) throw new Error(`${fault.message} (${fault.hint})`)
    return template
  }
  const body = compile(prompt.body.text)
  const system = prompt.system && compile(prompt.system.text)
  const examples = (prompt.options.examples ?? []).map(({ event, output }: PromptExample) => ({
    keys: Object.keys(output).filter(isKey),
    messages: [
      { role: "user" as const, content: body.render(event) },
      { role: "assistant" as const, content: JSON.stringify(output) },
    ],
  }))
  return {
    messages: (event, keys) => [
      ...examples.flatMap((example) => (example.keys.every((key) => keys.includes(key)) ? example.messages : [])),
      { role: "user", content: body.render(event) },
    ],
    system: (event) => system?.render(event),
  }
}
