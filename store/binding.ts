import { createHash } from "node:crypto"
import { canonicalJson } from "../effects/json.ts"
import type { Policy } from "../policy/policy.ts"

/** All that an answer is about: an operation that differs in any of it needs another. */
export interface Binding {
  readonly on: string
  readonly phase: string
  readonly server?: string
  readonly tool?: string
  /** the tool as its server lists it */
  readonly definition?: unknown
  /** after all hooks */
  readonly input: unknown
  /** the caller's id */
  readonly caller: string
  readonly session?: string
  /** the ids of the hooks that ask, in order */
  readonly hooks: readonly string[]
  /** `policyHash` and `ceilingsHash` of what is in force */
  readonly policy: string
  readonly ceilings: string
}

const hashOf = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex")

/** What an approval is bound to: SHA-256 of the canonical JSON, lower-case hex. */
export const bindingOf = (binding: Binding): string => hashOf(binding)

/** Which policy is in force, as SHA-256: what it says, and where that was said. */
export const policyHash = ({ file: _, warnings: __, needsRegex: ___, ...said }: Policy): string => hashOf(said)

/** Which ceilings are in force: the entries, and all that was said of `autonomy.max`. */
export const ceilingsHash = ({ ceilings, autonomyMax }: Policy): string => hashOf({ ceilings, autonomyMax })
