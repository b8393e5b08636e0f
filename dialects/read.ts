import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { carries, pointRow } from "../policy/points.ts"
import type { Dialect, MomentRow, Reading } from "./dialect.ts"

/** A payload that is not what its host says it is: one sentence, for whoever reads the refusal. */
export class PayloadError extends Error {
  override readonly name = "PayloadError"
}

/** Reads what a host sent as an event of ours; what our event has no field for stands under `host`. */
export function readPayload(dialect: Dialect, payload: JsonObject, said: string | undefined): Reading {
  const name = nameOf(dialect, payload, said)
  const row = Object.hasOwn(dialect.moments, name) ? dialect.moments[name] : undefined
  const rest: JsonObject = { ...payload }
  for (const key of dialect.nameIn) delete rest[key]
  const notes: string[] = []
  const event: JsonObject = {}
  if (row && "tool" in pointRow(row.on).fields) {
    Object.assign(event, toolOf(dialect, payload, rest, notes))
    const args = dialect.args?.(payload)
    if (args) event.args = args
  }
  for (const [field, places] of Object.entries({ ...COMMON, ...row?.fields })) take(event, field, row, places, rest)
  if (Object.keys(rest).length > 0) event.host = rest
  for (const [field, { required }] of Object.entries(row ? pointRow(row.on).fields : {})) {
    if (!required || field === "on" || field === "phase" || event[field] !== undefined) continue
    throw new PayloadError(`the payload of \`${name}\` has no \`${row?.fields[field]?.[0] ?? field}\``)
  }
  return { dialect, name, ...(row ? { row } : {}), event, notes }
}

/** What the payloads of all hosts carry. */
const COMMON: MomentRow["fields"] = {
  session: ["session_id", "sessionId", "conversation_id"],
  cwd: ["cwd"],
  agent: ["agent_type", "agentName"],
}

function nameOf({ title, nameIn }: Dialect, payload: JsonObject, said: string | undefined): string {
  const own = nameIn.map((key) => payload[key]).find((value) => typeof value === "string" && value !== "")
  if (own === undefined && said === undefined) {
    throw new PayloadError(`${title} does not say which event this is; \`--event NAME\` says it`)
  }
  if (own !== undefined && said !== undefined && own !== said) {
    throw new PayloadError(`the payload says \`${own}\`, and \`--event\` says \`${said}\``)
  }
  return (own ?? said) as string
}

/** Takes one field out of the payload, where it is of the type that our event wants. */
function take(
  event: JsonObject,
  field: string,
  row: MomentRow | undefined,
  places: readonly string[],
  rest: JsonObject,
): void {
  if (event[field] !== undefined || (row && !row.phases.some((phase) => carries(row.on, field, phase)))) return
  for (const place of places) {
    const value = rest[place]
    if (value === undefined) continue
    const fitting = fitted(field, value, row)
    if (fitting === undefined) continue
    event[field] = fitting
    delete rest[place]
    return
  }
}

function fitted(field: string, value: unknown, row: MomentRow | undefined): unknown {
  const type = row ? pointRow(row.on).fields[field]?.type : "text"
  if (field === "error" && typeof value === "string") return { code: "error", message: value }
  if (type === "object") return objectOf(value)
  if (type === "text") return typeof value === "string" && value !== "" ? value : undefined
  return type === "boolean" && typeof value !== "boolean" ? undefined : value
}

/** Some hosts send an object as its JSON text. */
function objectOf(value: unknown): JsonObject | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined
  try {
    const parsed = parseJson(value)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** `mcp__server__tool`: where the payload does not say the pair, it is cut at the first `__`. */
function toolOf(dialect: Dialect, payload: JsonObject, rest: JsonObject, notes: string[]): JsonObject {
  const own = dialect.tool?.(payload)
  const joined = payload.tool_name ?? payload.toolName
  delete rest.tool_name
  delete rest.toolName
  if (own) {
    const { note, ...pair } = own
    if (note !== undefined) notes.push(note)
    return pair
  }
  if (typeof joined !== "string" || joined === "") return {}
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(joined) ?? []
  if (server === undefined || tool === undefined) return { server: dialect.name, tool: joined }
  if (tool.includes("__")) notes.push(`\`${joined}\` is taken for the tool \`${tool}\` of the server \`${server}\``)
  return { server, tool }
}
