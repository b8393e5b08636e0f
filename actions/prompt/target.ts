import { overModel } from "../../policy/model.ts"
import type { ModelOptions, ModelSettings } from "../../policy/prompt.ts"
import { isProvider, PROVIDER_NAMES, PROVIDERS } from "../../policy/providers.ts"
import type { Target } from "../../prompts/request.ts"
import type { Environment } from "../run/environment.ts"

/** Tokens of an answer where nobody says: a verdict is short. */
const MAX_TOKENS = 1024

/** What a server of one's own gets that asks for no key: the SDKs do not start without one. */
const NO_KEY = "none"

/** What a header can carry: a key of another kind could be sent to nobody. */
const HEADER_TEXT = /^[!-~]+$/

/** Who is asked, or the sentence that says why nobody is. */
export type Aim = { readonly target: Target } | { readonly missing: string }

/** What is said of the model, lowest first: the policy's `model`, then the prompt's own. */
export function aimOf(settings: ModelSettings, own: ModelOptions, env: Environment): Aim {
  const { name, ...standing } = settings
  const said: ModelOptions = overModel({ ...standing, ...(name === undefined ? {} : { model: name }) }, own)
  const { provider, model, temperature, seed } = said
  if (!model) return { missing: "no model is configured (`model.name`, or `model` in the prompt)" }
  if (!isProvider(provider)) {
    return { missing: `no provider is configured (\`model.provider\`: ${PROVIDER_NAMES.join(" or ")})` }
  }
  const { key, missing } = keyOf(said, PROVIDERS[provider], env)
  if (missing !== undefined) return { missing }
  return {
    target: {
      provider,
      model,
      baseUrl: said.baseUrl?.replace(/\/+$/, "") ?? PROVIDERS[provider].baseUrl,
      key,
      maxTokens: said.maxTokens ?? MAX_TOKENS,
      stream: said.stream ?? false,
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
  }
}

/** The key from its variable. A server of one's own that names no variable needs none. */
function keyOf(
  { apiKeyEnv, baseUrl }: ModelOptions,
  provider: { readonly apiKeyEnv: string },
  env: Environment,
): { readonly key: string; readonly missing?: string } {
  const variable = apiKeyEnv ?? (baseUrl === undefined ? provider.apiKeyEnv : undefined)
  if (variable === undefined) return { key: NO_KEY }
  const key = Object.hasOwn(env, variable) ? env[variable]?.trim() : undefined
  if (!key) return { key: "", missing: `the variable \`${variable}\`, which holds the model's key, is not set` }
  if (!HEADER_TEXT.test(key)) return { key: "", missing: `what the variable \`${variable}\` holds is no key` }
  return { key }
}
