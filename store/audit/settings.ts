import { join } from "node:path"
import type { Policy } from "../../policy/policy.ts"
import { listOf, settingOf } from "../../policy/said.ts"
import { type Environment, homeOf } from "../../settings/folders.ts"

/** What a policy says of the record. */
export interface RecordSettings {
  /** absent: nobody names one */
  readonly folder?: string
  readonly required: boolean
  readonly redact: readonly string[]
  readonly keepDays?: number
  readonly keepRows?: number
}

export function recordSettings(policy: Pick<Policy, "values" | "lists">, env: Environment): RecordSettings {
  const folder = settingOf(policy, "audit.folder")
  const keepDays = settingOf(policy, "audit.keepDays")
  const keepRows = settingOf(policy, "audit.keepRows")
  return {
    required: settingOf(policy, "audit.required"),
    redact: listOf(policy, "audit.redact"),
    ...(folder === undefined ? {} : { folder: folder.startsWith("~/") ? join(homeOf(env), folder.slice(2)) : folder }),
    ...(keepDays === undefined ? {} : { keepDays }),
    ...(keepRows === undefined ? {} : { keepRows }),
  }
}
