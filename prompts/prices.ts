import type { Price } from "../policy/prompt.ts"

/**
 * US dollars for a million tokens, as the providers publish them for their plain tier. Prices change: `model.prices` takes the
 * place of an entry, and a model that is not here has no price and no `cost`.
 */
export const PRICES: Readonly<Record<string, Price>> = Object.freeze({
  "gpt-4o": { input: 2.5, output: 10 },
  "gpt-4o-mini": { input: 0.15, output: 0.6 },
  "gpt-4.1": { input: 2, output: 8 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, output: 0.4 },
  "claude-3-5-haiku": { input: 0.8, output: 4 },
  "claude-sonnet-4": { input: 3, output: 15 },
  "claude-opus-4": { input: 15, output: 75 },
})

/** A model's name without the date of its version: `gpt-4o-2024-08-06`, `claude-sonnet-4-20250514`. */
const undated = (model: string): string => model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")

/** The price of a model: what was given for its name, else the table's. */
export function priceOf(model: string, given: Readonly<Record<string, Price>> = {}): Price | undefined {
  for (const table of [given, PRICES]) {
    for (const name of [model, undated(model)]) if (Object.hasOwn(table, name)) return table[name]
  }
  return undefined
}

/** US dollars, to the millionth of a cent. */
export const costOf = (price: Price, inputTokens: number, outputTokens: number): number =>
  Math.round((price.input * inputTokens + price.output * outputTokens) * 100) / 1e8
