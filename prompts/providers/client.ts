import { isObject } from "../../effects/json.ts"

/**
 * Fetches, and reads answers alone: of an error only its status and its headers count, so that nothing a server writes there is
 * held, and none leads on to another server, which would get the prompt and perhaps the key.
 */
export const fetchAnswer: typeof fetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: "manual" })
  if (response.ok) return response
  response.body?.cancel().catch(() => {})
  return new Response(null, { status: response.status, headers: response.headers })
}

/** The SDKs add headers that a variable of theirs holds. The hook's settings are the only source, so these are taken away. */
export function withoutStrayHeaders<Client extends object>(client: Client): Client {
  const options: unknown = Reflect.get(client, "_options")
  if (isObject(options)) delete options.defaultHeaders
  return client
}
