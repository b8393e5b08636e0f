import { resolve } from "node:path"
import { PolicyError } from "../../policy/findings.ts"
import { ownFolder } from "../../settings/folders.ts"
import { loadPolicy } from "../../settings/load.ts"
import { type RecordSettings, recordSettings } from "../../store/audit/settings.ts"
import { readAudit } from "../../store/audit/store.ts"
import type { AuditReader } from "../../store/ports.ts"
import type { Call } from "../command.ts"
import type { Io } from "../io.ts"

/** What is known of the record that a call is about. */
interface Known extends Pick<RecordSettings, "keepDays" | "keepRows"> {
  readonly folder: string
}

/** The record that a call is about: the one that is named, else the one that the policy names, else the daemon's own. */
export async function recordOf({ given, io }: Call): Promise<Known> {
  const { folder = ownFolder("state", io.env), ...said } = await saidIn(given.value("policy"), io)
  const named = given.value("folder")
  return { ...said, folder: named === undefined ? folder : resolve(io.cwd, named) }
}

/** A record outlives a policy that became bad, and can be read all the same. */
async function saidIn(policy: string | undefined, io: Io): Promise<Partial<RecordSettings>> {
  try {
    const loaded = await loadPolicy({ cwd: io.cwd, env: io.env, ...(policy === undefined ? {} : { policy }) })
    return recordSettings(loaded.policy, io.env)
  } catch (cause) {
    if (!(cause instanceof PolicyError) || policy !== undefined) throw cause
    io.err.line(
      "detent: the policy is bad (see `detent check`), so `audit.folder` is not known; looking at the daemon's own",
    )
    return {}
  }
}

/** The record, to be read, for as long as `use` runs. @throws StoreError where there is none, or it cannot be read */
export async function withRecord<T>(call: Call, use: (record: AuditReader) => Promise<T>): Promise<T> {
  const { folder } = await recordOf(call)
  const record = await readAudit(folder)
  try {
    return await use(record)
  } finally {
    await record.close()
  }
}
