import { type Dialect, ofClaudesNames } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

export const COPILOT: Dialect = {
  name: "copilot",
  title: "Copilot",
  moments: MOMENTS,
  nameIn: ["hook_event_name", "hookName"],
  fits: ({ sessionId, timestamp, hook_event_name: name, turn_id, hookEventName }) =>
    name === undefined
      ? typeof sessionId === "string" && typeof timestamp === "number" && hookEventName === undefined
      : typeof name === "string" && ofClaudesNames(name) && typeof timestamp === "string" && turn_id === undefined,
  answer,
}
