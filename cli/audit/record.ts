import { resolve } from "node:path"
import { ownFolder } from "../../settings/folders.ts"
import { readAudit } from "../../store/audit/store.ts"
import type { AuditReader } from "../../store/ports.ts"
import type { Call } from "../command.ts"

/** The record that a call is about: the one that is named, else the daemon's own. */
export function recordFolder({ given, io }: Call): string {
  const named = given.value("folder")
  return named === undefined ? ownFolder("state", io.env) : resolve(io.cwd, named)
}

/** The record, to be read, for as long as `use` runs. @throws StoreError where there is none, or it cannot be read */
export async function withRecord<T>(call: Call, use: (record: AuditReader) => Promise<T>): Promise<T> {
  const record = await readAudit(recordFolder(call))
  try {
    return await use(record)
  } finally {
    await record.close()
  }
}
