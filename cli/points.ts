import { lowest } from "../effects/levels.ts"
import { eventJsonSchema } from "../policy/events.ts"
import { nearest } from "../policy/nearest.ts"
import { PHASES } from "../policy/phases.ts"
import { carries, isPoint, POINT_NAMES, type Point, phasesOf, pointRow } from "../policy/points.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import type { Out } from "./io.ts"
import { columns } from "./text/wrap.ts"

/** Lists the points: phases, limits, fields. As JSON each point has the schema of what a hook receives, phase by phase. */
export async function run(call: Call): Promise<number> {
  const { args, io } = call
  const points = args[0] === undefined ? POINT_NAMES : [pointOf(args[0])]
  const format = formatOf(call)
  if (format === "text") io.out.line(points.map((point) => pointText(point, io.out)).join("\n\n"))
  else if (format === "json") io.out.line(document(points.map(describe)))
  else for (const point of points) io.out.line(JSON.stringify(describe(point)))
  return 0
}

/** @throws CommandError with the nearest known one */
export function pointOf(name: string): Point {
  if (isPoint(name)) return name
  const near = nearest(name, POINT_NAMES)
  throw new CommandError(
    `unknown point \`${name}\``,
    near === undefined ? `the points are ${POINT_NAMES.join(", ")}` : `did you mean \`${near}\`?`,
  )
}

/** The highest level of a hook in a phase of a point. */
const limitOf = (point: Point, phase: ReturnType<typeof phasesOf>[number]) =>
  lowest(PHASES[phase].ceiling, pointRow(point).phases[phase]?.limit ?? "run")

const describe = (point: Point) => ({
  point,
  doc: pointRow(point).doc,
  phases: Object.fromEntries(
    phasesOf(point).map((phase) => {
      const subject = pointRow(point).phases[phase]?.subject ?? "none"
      return [phase, { limit: limitOf(point, phase), subject, schema: eventJsonSchema(point, phase) }]
    }),
  ),
})

function pointText(point: Point, { columns: width, paint }: Out): string {
  const row = pointRow(point)
  const phases = phasesOf(point).map((phase) => {
    const subject = row.phases[phase]?.subject ?? "none"
    const replaced = subject === "none" ? "replaces nothing" : `replaces ${subject}`
    return [paint("code", phase), `up to ${limitOf(point, phase)}, ${replaced}: ${PHASES[phase].when}`] as const
  })
  const fields = Object.entries(row.fields).map(([name, field]) => {
    const where = phasesOf(point).filter((phase) => carries(point, name, phase))
    const only = where.length === phasesOf(point).length ? "" : ` (in ${where.join(", ")})`
    const known = field.values ?? Object.keys(field.members ?? {})
    const listed = known.length === 0 ? "" : `: ${known.join(", ")}${field.open ? ", …" : ""}`
    return [paint("code", name), `${field.doc}${field.required ? " (required)" : ""}${only}${listed}`] as const
  })
  return [
    `${paint("strong", point)}: ${row.doc}`,
    columns(phases, width),
    "  receives",
    columns(fields, width, "    "),
  ].join("\n")
}
