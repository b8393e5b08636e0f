import { LIBRARY } from "../../policy/library.ts"
import { PROVIDERS } from "../../policy/providers.ts"
import { PRICES } from "../../prompts/prices.ts"
import { code, page, part, table } from "./markdown.ts"

export const models = (): string =>
  page(
    "Models",
    "What prompt hooks can ask. See [prompt hooks](../prompts.md) for how.",
    part(
      "Providers",
      "`baseUrl` and the key's variable are what holds where nothing else is said.",
      table(
        ["provider", "speaks", "base URL", "key"],
        Object.entries(PROVIDERS).map(([name, { doc, baseUrl, apiKeyEnv }]) => [
          code(name),
          doc,
          code(baseUrl),
          code(apiKeyEnv),
        ]),
      ),
    ),
    part(
      "Prompts that come along",
      "Named by `prompt: { library: NAME }`.",
      table(
        ["name", "what it asks"],
        Object.entries(LIBRARY).map(([name, { doc }]) => [code(name), doc]),
      ),
    ),
    part(
      "Prices",
      "US dollars for a million tokens. Prices change: `model.prices` takes the place of an entry, and a model without one has no `cost`.",
      table(
        ["model", "input", "output"],
        Object.entries(PRICES).map(([name, { input, output }]) => [code(name), `${input}`, `${output}`]),
      ),
    ),
  )
