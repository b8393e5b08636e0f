import { type Logger, pino } from "pino"
import type { World } from "./world.ts"

export type { Logger }

/** One JSON object a line. What a failed hook said is in none of them. */
export const loggerOf = ({ log }: World, level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" }, { write: log })
