import { isUtf8 } from "node:buffer"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { PolicyError } from "./findings.ts"
import type { ManifestFiles } from "./manifest.ts"
import { type ParseOptions, parsePolicy } from "./parse.ts"
import type { Policy } from "./policy.ts"
import type { PromptFiles } from "./prompt-source.ts"

/** The prompts that come with the package: beside the source, or above the build. */
const LIBRARY_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../prompts/library" : "../../prompts/library", import.meta.url),
)

/** Reads prompts from this machine's files. */
export const promptFiles: PromptFiles = Object.freeze({
  read: (base: string | undefined, file: string) => read("prompt", base, file),
  library: (name: string) => resolve(LIBRARY_FOLDER, name, "prompt.md"),
})

/** Reads manifests of servers from this machine's files. */
export const manifestFiles: ManifestFiles = Object.freeze({
  read: (base: string | undefined, file: string) => read("manifest", base, file),
})

function read(what: string, base: string | undefined, file: string): string {
  let content: Buffer
  try {
    content = readFileSync(resolve(base ?? ".", file))
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException
    throw new Error(
      code === "ENOENT" ? `the ${what} \`${file}\` is not there` : `the ${what} \`${file}\` cannot be read (${code})`,
    )
  }
  if (!isUtf8(content)) throw new Error(`the ${what} \`${file}\` is not UTF-8`)
  return content.toString("utf8")
}

/**
 * Parses a policy file's bytes as UTF-8, with the files that its prompts and its servers' manifests are in.
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
  return parsePolicy(text, { promptFiles, manifestFiles, ...options })
}
