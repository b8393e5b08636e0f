import { type Logger, pino } from "pino"
import { isObject, parseJson } from "../effects/json.ts"
import type { Policy } from "../policy/policy.ts"
import { settingOf } from "../policy/said.ts"
import type { World } from "./world.ts"

export type { Logger }

/** One line for each thing that is told. What a failed hook said is in none of them. */
export function loggerOf({ log }: World, policy: Policy): Logger {
  const write = settingOf(policy, "log.format") === "text" ? (line: string) => log(textOf(line)) : log
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" }
  return pino({ ...options, level: settingOf(policy, "log.level") }, { write })
}

/** `12:00:00 warn the policy …: hook=a`, of a line of JSON. */
function textOf(line: string): string {
  const { level, time, message, ...about } = parseJson(line) as Record<string, unknown>
  const name = pino.levels.labels[Number(level)] ?? "info"
  const members = Object.entries(about).map(
    ([key, value]) => `${key}=${isObject(value) ? JSON.stringify(value) : value}`,
  )
  return `${String(time).slice(11, 19)} ${name} ${message}${members.length > 0 ? `: ${members.join(" ")}` : ""}\n`
}
