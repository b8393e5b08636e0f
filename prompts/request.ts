import { createHash } from "node:crypto"
import { canonicalJson, type JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { ProviderName } from "../policy/providers.ts"

export interface Message {
  readonly role: "user" | "assistant"
  readonly content: string
}

/** What a model is asked, whichever model it is. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  /** JSON Schema of the answer: only the keys that the level permits; absent: an answer in words */
  readonly schema?: JsonObject
  readonly level: Level
}

/** Who is asked, and how. */
export interface Target {
  readonly provider: ProviderName
  readonly model: string
  readonly baseUrl: string
  readonly key: string
  readonly maxTokens: number
  readonly temperature?: number
  readonly seed?: number
  readonly stream: boolean
}

/** Why an answer stopped: at its own end, at the limit of tokens, because the model would not answer, or nobody knows. */
export const STOPS = Object.freeze(["end", "length", "refused", "unknown"] as const)
export type Stop = (typeof STOPS)[number]

/** What a model answered, before anybody reads it. */
export interface Reply {
  readonly text: string
  readonly stop: Stop
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What recordings are kept under: the rendered request, the schema and the level, whoever is asked. Lower-case hex. */
export const requestKey = ({ system, messages, schema, level }: ModelRequest): string =>
  createHash("sha256").update(canonicalJson({ system, messages, schema, level })).digest("hex")
