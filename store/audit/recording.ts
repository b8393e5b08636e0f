import type { Engine } from "../../engine/engine.ts"
import type { Policy } from "../../policy/policy.ts"
import type { Environment } from "../../settings/folders.ts"
import { policyHash } from "../binding.ts"
import { StoreError } from "../errors.ts"
import type { AuditStore } from "../ports.ts"
import { recorded } from "./recorded.ts"
import { Recorder } from "./recorder.ts"
import { Retention } from "./retention.ts"
import { recordSettings } from "./settings.ts"
import { openAudit } from "./store.ts"

/** What records the decisions of one process, besides the daemon. */
export interface Recording {
  /** the same engine of a policy, whose decisions are written down */
  of(engine: Engine, policy: Policy): Engine
  close(): Promise<void>
}

export interface RecordingOptions {
  readonly policy: Policy
  readonly env: Environment
  /** says something to a person: one sentence */
  readonly tell: (text: string) => void
  /** whether this process runs long enough to prune */
  readonly keeps: boolean
}

/** Records into the folder that the policy names. @throws StoreError where it cannot, and has to */
export async function openRecording({ policy, env, tell, keeps }: RecordingOptions): Promise<Recording> {
  const { folder, required, redact, ...keep } = recordSettings(policy, env)
  if (folder === undefined) throw new TypeError("the policy names no folder to record in")
  let audit: AuditStore
  try {
    audit = await openAudit(folder, { redact })
  } catch (cause) {
    if (required || !(cause instanceof StoreError)) throw cause
    tell(`${cause.message}: decisions are not recorded, and go on: \`audit.required\` is false (${cause.hint})`)
    return { of: (engine) => engine, close: async () => {} }
  }
  const recorder = new Recorder(audit, required, ({ reason, told }) =>
    tell(`${reason}: a decision was not recorded, and was ${told ? "told all the same" : "refused"}`),
  )
  const retention = keeps
    ? new Retention(audit, {
        ...keep,
        onPruned: ({ rows, checkpoint }) =>
          tell(`${rows} rows of the record were pruned; it begins with row ${checkpoint?.first} now`),
        onFailed: ({ message }) => tell(`the record could not be pruned: ${message}`),
      })
    : undefined
  return {
    of: (engine, of) => recorded(engine, recorder, policyHash(of)),
    async close() {
      await retention?.close()
      await audit.close()
    },
  }
}
