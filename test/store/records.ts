import { join } from "node:path"
import Sqlite from "libsql"
import type { Decision } from "../../store/audit/row.ts"
import { openAudit, readAudit } from "../../store/audit/store.ts"
import type { Verification, VerifyOptions } from "../../store/audit/verify.ts"
import { privateFolder } from "./folder.ts"

export const decision = (at: number, more: Partial<Decision> = {}): Decision => ({
  caller: { id: at % 2 === 0 ? "ci" : "ann" },
  on: "call",
  server: "fs",
  tool: at % 3 === 0 ? "write_file" : "read_file",
  input: { path: `/repo/src/f${at}.ts` },
  outcome: at % 5 === 0 ? "refuse" : "continue",
  hooks: [{ id: `h${at % 4}`, effect: "ask" }],
  ...more,
})

/** A folder with a record of so many decisions, closed. */
export async function record(rows: number): Promise<string> {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await Promise.all(Array.from({ length: rows }, (_, at) => audit.append(decision(at + 1))))
  await audit.close()
  return folder
}

/** Does something to the file that only somebody with write access to it could. */
export function tamper(folder: string, ...statements: readonly string[]): void {
  const db = new Sqlite(join(folder, "audit.db"))
  for (const statement of statements) db.exec(statement)
  db.close()
}

export async function verify(folder: string, options: VerifyOptions = {}): Promise<Verification> {
  const audit = await readAudit(folder)
  try {
    return await audit.verify(options)
  } finally {
    await audit.close()
  }
}

/** What is wrong, each as `what row`. */
export const told = ({ findings }: Verification): string[] => findings.map(({ what, seq }) => `${what} ${seq}`)
