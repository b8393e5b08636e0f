import { isObject } from "../../effects/json.ts"

/** No server leads on to another, which would get the prompt and perhaps the key. */
export const FETCH_OPTIONS = Object.freeze({ redirect: "manual" } as const)

/** Fetches, and reads answers alone: of an error only its status and its headers count, and nothing that is written there is held. */
export const fetchAnswer: typeof fetch = (url, init) =>
  fetch(url, init).then((response) => (response.ok ? response : withoutBody(response)))

function withoutBody(response: Response): Response {
  response.body?.cancel().catch(() => {})
  return new Response(null, { status: response.status, headers: response.headers })
}

/** The SDKs add headers that a variable of theirs holds. The hook's settings are the only source, so these are taken away. */
export function withoutStrayHeaders<Client extends object>(client: Client): Client {
  const options: unknown = Reflect.get(client, "_options")
  if (isObject(options)) delete options.defaultHeaders
  return client
}
