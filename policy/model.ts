import type { ModelOptions } from "./prompt.ts"

type Endpoint = Pick<ModelOptions, "provider" | "baseUrl" | "apiKeyEnv">

/**
 * What is said of a model in one place, over what is said in a lower one.
 *
 * INVARIANT: a key goes only to the server that it was named for (test/prompts/model-settings.test.ts). Whoever names another provider
 * leaves the lower base URL and key behind, and whoever names another base URL the key.
 */
export function overModel<Above extends Endpoint, Below extends Endpoint>(below: Below, above: Above): Below & Above {
  const { baseUrl, apiKeyEnv, ...rest } = below
  const sameProvider = !differs(below.provider, above.provider)
  const sameServer = sameProvider && (above.baseUrl === undefined || above.baseUrl === baseUrl)
  return {
    ...rest,
    ...(sameProvider && baseUrl !== undefined ? { baseUrl } : {}),
    ...(sameServer && apiKeyEnv !== undefined ? { apiKeyEnv } : {}),
    ...above,
  } as Below & Above
}

const differs = (below: string | undefined, above: string | undefined): boolean =>
  below !== undefined && above !== undefined && below !== above
