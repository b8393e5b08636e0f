import type { ClientCapabilities, Implementation } from "@modelcontextprotocol/client"
import type { JsonObject } from "../effects/json.ts"
import { VERSION } from "../settings/version.ts"

/** What a server asks of its client: a form, a model's answer, its roots. */
export interface InputRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Answers what a server asks. @throws where the client cannot, or will not. */
export type InputPort = (request: InputRequest) => Promise<JsonObject>

/** Whom a server speaks to: what it can, and what of the server's it is told. */
export interface Peer {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
  /** answers what a server asks outside of any request that is known */
  readonly input?: InputPort | undefined
  /** `notifications/…` of the server's */
  notified?(method: string, params: JsonObject): void
}

/** A client that answers nothing. */
export const ALONE: Peer = Object.freeze({ info: { name: "detent", version: VERSION }, capabilities: {} })
