import type { Dialect } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

const text = (value: unknown): value is string => typeof value === "string" && value !== ""

export const CODEX: Dialect = {
  name: "codex",
  title: "Codex",
  tried: "0.171.0",
  moments: MOMENTS,
  nameIn: ["hook_event_name"],
  // Where it is named, an event outside a turn is taken for Codex's too; unnamed, only a turn's or a model's is.
  fits: (payload) =>
    text(payload.hook_event_name) &&
    text(payload.session_id) &&
    !("timestamp" in payload) &&
    !("cursor_version" in payload) &&
    !("conversation_id" in payload) &&
    !("prompt_id" in payload) &&
    (("turn_id" in payload && "model" in payload) ||
      /^Session|^Subagent|Compact$|^Interrupt$/.test(payload.hook_event_name)),
  answer,
}
