import { isObject } from "../../effects/json.ts"
import type { HookFrame } from "../../frames/frames.ts"
import type { AuditRow } from "../../store/audit/row.ts"
import type { Out } from "../io.ts"
import type { Colour, Paint } from "./colour.ts"
import { hookLine, isWorthTelling } from "./hook.ts"
import { brief, oneLine } from "./plain.ts"
import { columns, fit, wrap } from "./wrap.ts"

const OUTCOMES = Object.freeze({
  continue: ["good", "went on"],
  answer: ["good", "answered"],
  retry: ["good", "retried"],
  ask: ["warning", "asked"],
  refuse: ["bad", "refused"],
  error: ["bad", "failed"],
} as const satisfies Record<AuditRow["outcome"], readonly [Colour, string]>)

type Sheet = Pick<Out, "paint" | "tty" | "columns">

/** How many columns the longest of them takes. */
const WIDEST = 8

/** `2026-01-31 09:30:00`, in UTC. */
const clock = (time: string): string => oneLine(time).slice(0, 19).replace("T", " ")

/** A redacted value stands where a text did. */
const text = (value: unknown): string => (typeof value === "string" ? oneLine(value) : brief(value))

function outcomeOf({ outcome, recovered }: AuditRow, paint: Paint, width = 0): string {
  if (recovered) return paint("bad", "found cut".padEnd(width))
  const [colour, word] = OUTCOMES[outcome] ?? ["bad", text(outcome)]
  return paint(colour, word.padEnd(width))
}

/** The server and the tool, or else the point. */
const whatOf = ({ on, phase, server, tool }: AuditRow): string => {
  const named = [server, tool].flatMap((part) => (part === undefined ? [] : [text(part)])).join("/")
  return `${named === "" ? text(on) : named}${phase === undefined ? "" : ` ${text(phase)}`}`
}

function whyOf({ refusal, error, approval, recovered }: AuditRow): string {
  if (recovered) return `signed up to row ${recovered.expected.seq}, and ended with row ${recovered.found.seq}`
  const hook = refusal?.hook === undefined ? "" : `${text(refusal.hook)}: `
  if (refusal) return `${hook}${text(isObject(refusal) ? (refusal.reason ?? refusal) : refusal)}`
  if (error) return `${text(error.code)}: ${text(error.message)}`
  return approval === undefined ? "" : `question ${text(approval)}`
}

const callerOf = ({ caller }: AuditRow): string => text(caller?.id ?? caller ?? "")

/** One row in one line; on a terminal what does not fit stands under it. */
export function rowLine(row: AuditRow, { paint, tty, columns: width }: Sheet): string {
  const parts = [
    paint("faint", clock(row.time)),
    outcomeOf(row, paint, WIDEST),
    ...(row.recovered ? [] : [callerOf(row), paint("strong", whatOf(row)), short(row.input)]),
    whyOf(row),
  ]
  const seq = String(row.seq).padStart(SEQ)
  const line = parts.filter((part) => part !== "").join("  ")
  return `${seq}  ${tty ? wrap(line, width - SEQ - 2).replaceAll("\n", `\n${" ".repeat(SEQ + 2)}`) : line}`
}

/** How many columns a number of a row takes. */
const SEQ = 6

const SHORT = 60

/** The start of an input: enough to know it again. */
function short(input: unknown): string {
  if (input === undefined) return ""
  const whole = brief(input)
  return whole.length <= SHORT ? whole : `${whole.slice(0, SHORT - 1)}…`
}

const whole = (value: unknown): string => oneLine(JSON.stringify(value) ?? "nothing")

/** All of one row. */
export function rowText(row: AuditRow, out: Sheet): string {
  const { paint } = out
  const why = whyOf(row)
  const head = `${paint("strong", `row ${row.seq}`)}  ${outcomeOf(row, paint)}${why === "" ? "" : `  ${why}`}`
  const members = row.recovered ? [] : [...askedOf(row), ...hooksOf(row, paint), ...madeOf(row)]
  const rows: Named[] = [
    ["when", oneLine(row.time)],
    ...members,
    ["hash", oneLine(row.hash)],
    ["follows", oneLine(row.prev)],
  ]
  const painted = rows.map(([name, value]) => [paint("faint", name), value] as const)
  return `${fit(head, out)}\n${columns(painted, out.columns)}`
}

type Named = readonly [name: string, text: string]

const named = (name: string, value: unknown, show: (value: unknown) => string = text): Named[] =>
  value === undefined ? [] : [[name, show(value)]]

/** What was asked, and by whom. */
function askedOf(row: AuditRow): Named[] {
  const { caller, on, phase, server, tool, session, agent, input, sent } = row
  const { id, ...more } = isObject(caller) ? caller : { id: caller }
  return [
    ["caller", Object.keys(more).length === 0 ? text(id) : `${text(id)}  ${whole(more)}`],
    ["what", `${text(on)}${phase === undefined ? ", whole" : ` ${text(phase)}`}`],
    ...named("server", server),
    ...named("tool", tool),
    ...named("session", session),
    ...named("agent", agent),
    ...named("input", input, whole),
    ...named("sent", sent, whole),
  ]
}

/** What its hooks did, and what lowered them. */
function hooksOf({ hooks = [], frames = [], ceilings = [] }: AuditRow, paint: Paint): Named[] {
  const told = Array.isArray(frames) ? frames.filter((frame) => frame.type === "hook" && worth(frame)) : []
  const silent = hooks.filter(({ id }) => !told.some((frame) => frame.type === "hook" && frame.hook === id))
  return [
    ...told.map((frame): Named => ["hook", hookText(frame as HookFrame, paint)]),
    ...(silent.length === 0 ? [] : named("no opinion", silent.map(({ id }) => text(id)).join(", "))),
    ...ceilings.map(({ by, id, reason, origin }): Named => {
      const why = [...(id === undefined ? [] : [`\`${text(id)}\``]), ...(reason === undefined ? [] : [text(reason)])]
      return ["ceiling", `${by}${why.length === 0 ? "" : `: ${why.join(", ")}`} (${text(origin)})`]
    }),
  ]
}

/** A frame of which something was redacted has another shape: it is shown as it is. */
function hookText(frame: HookFrame, paint: Paint): string {
  try {
    return hookLine(frame, paint)
  } catch {
    return whole(frame)
  }
}

function worth(frame: HookFrame): boolean {
  try {
    return isWorthTelling(frame)
  } catch {
    return true
  }
}

/** What it was made under, and what it took. */
function madeOf({ approval, durationMs, left, hashes = {} }: AuditRow): Named[] {
  const outputs = Object.entries(left ?? {}).map(([type, count]) => `${count} ${text(type)}`)
  return [
    ...named("approval", approval),
    ...(outputs.length === 0 ? [] : named("not kept", outputs.join(", "))),
    ...named("took", durationMs, (ms) => `${Number(ms).toFixed(1)} ms`),
    ...Object.entries(hashes).map(([name, value]): Named => [`${text(name)} hash`, text(value)]),
  ]
}
