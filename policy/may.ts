import { MAY_RETRY } from "./complete.ts"
import type { May } from "./policy.ts"

const isModule = (name: string): boolean => /\.[cm]?[jt]sx?$/.test(name)
const isRegex = (name: string): boolean => name.length > 1 && name.startsWith("/") && name.endsWith("/")
const isFile = (name: string): boolean => /^(\/|\.\.?\/)/.test(name) && !isRegex(name)

/**
 * Reads `may`: a flat list in which a name permits whatever it can name.
 *
 * `retry` is the retry. A text that ends as a module does names that module; one that is no pattern, or a file's
 * path, names a program (held against argv[0]); one that is no file's path is a matcher of tools.
 */
export function mayOf(names: readonly string[] | undefined): May {
  if (names === undefined) return MAY_RETRY
  const others = names.filter((name) => name !== "retry")
  return {
    retry: names.includes("retry"),
    tools: others.filter((name) => !isFile(name)),
    argv: others.filter((name) => isFile(name) || !(name.includes("*") || isRegex(name))),
    modules: others.filter(isModule),
  }
}
