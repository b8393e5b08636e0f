import type { ActionRunner } from "../engine/ports.ts"
import { failed } from "../frames/failures.ts"
import type { ActionKind } from "../policy/actions.ts"

/** Stands where an action has no runner yet: the hook fails, and its `failure` decides. */
export const unavailable = <K extends ActionKind>(detail: string): ActionRunner<K> => ({
  run: async () => ({ failed: failed("unavailable", { detail }) }),
})
