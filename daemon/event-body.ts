import { isObject, type JsonObject } from "../effects/json.ts"
import { checkEvent, eventJsonSchema } from "../policy/events.ts"
import type { Phase } from "../policy/phases.ts"
import { POINT_NAMES, type Point } from "../policy/points.ts"
import type { BodyOf } from "./body.ts"
import { claimsOf } from "./callers.ts"
import { Problem } from "./problem.ts"

/** One moment as an outside agent sends it. */
export interface SentEvent {
  readonly on: Point
  readonly phase: Exclude<Phase, "observe" | "prefix">
  /** without what the caller says of itself */
  readonly event: JsonObject
  /** what it says of itself: an id or an object */
  readonly claims?: JsonObject
}

/** The body of `/v1/decide`: an event of any point, held against the table of points. */
export const eventBody: BodyOf<SentEvent> = {
  schema: () => ({ oneOf: POINT_NAMES.map((point) => withoutDialect(eventJsonSchema(point))) }),
  read(value) {
    if (!isObject(value)) throw new Problem("bad-request", "an event must be an object")
    const { caller, ...event } = value
    const claims = claimsOf(caller)
    const problems = checkEvent(event)
    if (problems.length > 0) {
      throw new Problem("bad-request", problems.join("; "), { hint: "`detent points` shows what fits" })
    }
    const { on, phase } = event as { on: Point; phase: SentEvent["phase"] }
    return { on, phase, event, ...(claims ? { claims } : {}) }
  },
}

const withoutDialect = ({ $schema: _, ...schema }: JsonObject): JsonObject => schema
