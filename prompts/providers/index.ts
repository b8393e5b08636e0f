import type { ProviderName } from "../../policy/providers.ts"
import type { Provider } from "./provider.ts"

/** Each provider with its SDK, which is read when the first prompt asks for it: most runs ask no model. */
const LOADERS = Object.freeze({
  openai: () => import("./openai.ts"),
  anthropic: () => import("./anthropic.ts"),
} satisfies Record<ProviderName, () => Promise<{ createProvider(): Provider }>>)

/** The providers of one engine, each made when it is first asked. */
export class Providers {
  readonly #made = new Map<ProviderName, Promise<Provider>>()

  get(name: ProviderName): Promise<Provider> {
    const known = this.#made.get(name)
    if (known) return known
    const made = LOADERS[name]().then(({ createProvider }) => createProvider())
    this.#made.set(name, made)
    return made
  }
}
