import { PolicyError } from "./findings.ts"
import { type ParseOptions, parsePolicy } from "./parse.ts"
import type { Policy } from "./policy.ts"

/**
 * Parses a policy file's bytes as UTF-8.
 *
 * @throws PolicyError with all findings; bytes that are no UTF-8 are one, never replaced by marks.
 */
export function parsePolicyBytes(content: Uint8Array, options: ParseOptions & { readonly file: string }): Policy {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw new PolicyError([{ severity: "error", message: "the policy is not UTF-8", file: options.file }])
  }
  return parsePolicy(text, options)
}
