import type { Engine } from "../engine/engine.ts"
import type { Policy } from "../policy/policy.ts"
import { settingOf } from "../policy/said.ts"
import type { Recording } from "../store/audit/recording.ts"
import type { Io } from "./io.ts"

const NOWHERE: Recording = Object.freeze({ of: (engine: Engine) => engine, close: async () => {} })

/**
 * Records a command's decisions where the policy names a folder for it; else what writes is not even loaded.
 *
 * @throws StoreError where the folder cannot be written, and has to be
 */
export async function recordingOf(policy: Policy, { env, err }: Io, keeps = false): Promise<Recording> {
  if (settingOf(policy, "audit.folder") === undefined) return NOWHERE
  const { openRecording } = await import("../store/audit/recording.ts")
  return openRecording({ policy, env, keeps, tell: (text) => err.line(`detent: ${text}`) })
}
