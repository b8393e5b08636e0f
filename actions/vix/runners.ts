import type { ActionContext } from "../../engine/ports.ts"
import type { Actions } from "../index.ts"

/** What hooks of a folder are run with. */
export type Runners = Pick<Actions, "run" | "prompt">

/** What the engine hands to a group, or stands in for it. */
export type Outer = Pick<ActionContext, "effective" | "operation" | "signal" | "call">
