import type { Happening } from "../engine/ports.ts"
import type { Policy } from "../policy/policy.ts"
import { Recorder } from "../store/audit/recorder.ts"
import { eventRedactor } from "../store/audit/redact.ts"
import { Retention } from "../store/audit/retention.ts"
import { recordSettings } from "../store/audit/settings.ts"
import { openAudit } from "../store/audit/store.ts"
import type { Logger } from "./log.ts"
import type { Metrics } from "./metrics.ts"
import type { World } from "./world.ts"

/** What a daemon records, as it was told at its start. */
export interface DaemonRecord {
  readonly recorder: Recorder
  /** what is not stored is told to no reader of events either */
  readonly redact: (happening: Happening) => Happening
  close(): Promise<void>
}

interface Telling {
  readonly world: World
  readonly log: Logger
  readonly metrics: Metrics
}

/** Opens the record of a daemon. @throws StoreError where there can be none */
export async function openRecord(policy: Policy, { world, log, metrics }: Telling): Promise<DaemonRecord> {
  const { folder = world.folder, required, redact, ...keep } = recordSettings(policy, world.env)
  const audit = world.audit ? undefined : await openAudit(folder, { redact })
  const recorder = new Recorder(world.audit ?? audit, required, ({ on, reason, told }) => {
    metrics.unwritten.inc({ what: told ? "told" : "refused" })
    const message = "a decision could not be written"
    log.error({ on, reason }, told ? `${message}, and was told all the same: \`audit.required\` is false` : message)
  })
  const retention = audit
    ? new Retention(audit, {
        ...keep,
        onPruned({ rows, checkpoint }) {
          metrics.pruned.inc(rows)
          log.info({ rows, first: checkpoint?.first }, "the record was pruned, and begins with this row now")
        },
        onFailed: ({ message }) => log.error({ reason: message }, "the record could not be pruned"),
      })
    : undefined
  return {
    recorder,
    redact: eventRedactor(redact),
    async close() {
      await retention?.close()
      await audit?.close()
    },
  }
}
