import { join } from "node:path"
import { Database } from "../database.ts"
import type { ApprovalStore, CallerStore, ThreadStore } from "../ports.ts"
import { APPROVAL_TABLE, approvalStore } from "./approvals.ts"
import { CALLER_TABLE, callerStore } from "./callers.ts"
import { THREAD_TABLE, threadStore } from "./threads.ts"

export const STATE_FILE = "state.db"

export interface State {
  readonly approvals: ApprovalStore
  readonly callers: CallerStore
  readonly threads: ThreadStore
  close(): void
}

/**
 * What a daemon remembers besides its decisions, in one file of a folder: questions, callers and notices.
 *
 * @throws StoreError where the folder or the file is not this user's alone, or cannot be opened.
 */
export async function openState(folder: string): Promise<State> {
  const db = await Database.open(join(folder, STATE_FILE), {
    schema: [APPROVAL_TABLE, CALLER_TABLE, THREAD_TABLE].join(";"),
    version: 1,
    write: true,
  })
  return {
    approvals: approvalStore(db),
    callers: callerStore(db),
    threads: threadStore(db),
    close: () => db.close(),
  }
}
