import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
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

/**
 * Reads and parses one policy file. Relative programs, modules and folders in it start at its own folder.
 *
 * @throws PolicyError where it cannot be read, and with all its findings.
 */
export function readPolicyFile(path: string, options: Omit<ParseOptions, "file" | "base"> = {}): Policy {
  let content: Buffer
  try {
    content = readFileSync(path)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const message = code === "ENOENT" ? "the policy is not there" : `the policy cannot be read (${code ?? "unknown"})`
    throw new PolicyError([{ severity: "error", message, file: path }])
  }
  return parsePolicyBytes(content, { ...options, file: path, base: dirname(resolve(path)) })
}
