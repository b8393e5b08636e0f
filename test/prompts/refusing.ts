import { PolicyError } from "../../policy/findings.ts"
import { policyOfSettings } from "../../settings/put.ts"
import { policyOf } from "./asking.ts"

const saidOf = (cause: unknown): string => {
  if (!(cause instanceof PolicyError)) throw cause
  return JSON.stringify(cause.findings) + cause.message
}

/** All that is said of what is wrong with a policy; nothing where it is a good one. */
export function findingsOf(content: object): string {
  try {
    policyOf(content as never)
    return ""
  } catch (cause) {
    return saidOf(cause)
  }
}

/** All that is said of a setting outside of a file; nothing where it is a good one. */
export function findingsOfSetting(path: Parameters<typeof policyOfSettings>[1][number]["path"], value: string): string {
  try {
    policyOfSettings("environment", [{ path, values: [value], source: "env:X" }])
    return ""
  } catch (cause) {
    return saidOf(cause)
  }
}
