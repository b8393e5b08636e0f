/** Whose interface a model speaks. Each has one file in `prompts/providers/`. */
export const PROVIDERS = Object.freeze({
  openai: {
    doc: "OpenAI's chat completions, and every server that speaks them",
    baseUrl: "https://api.openai.com/v1",
    apiKeyEnv: "OPENAI_API_KEY",
  },
  anthropic: {
    doc: "Anthropic's messages",
    baseUrl: "https://api.anthropic.com",
    apiKeyEnv: "ANTHROPIC_API_KEY",
  },
} as const)

export type ProviderName = keyof typeof PROVIDERS

export const PROVIDER_NAMES = Object.freeze(Object.keys(PROVIDERS)) as readonly ProviderName[]

export const isProvider = (name: unknown): name is ProviderName =>
  typeof name === "string" && Object.hasOwn(PROVIDERS, name)
