import type { JsonObject } from "../effects/json.ts"
import type { BodyOf } from "./body.ts"

/** What an agent sends, as it sends it. */
export const payloadBody: BodyOf<JsonObject> = {
  schema: () => ({ type: "object", description: "what the agent gives its hooks, as it is" }),
  read: (value) => value as JsonObject,
}
