import { lowest } from "../../effects/levels.ts"
import { APPLY_MEMBERS, RUN_MEMBERS } from "../../effects/normalise.ts"
import { HAPPENINGS } from "../../policy/happenings.ts"
import { PHASES } from "../../policy/phases.ts"
import { carries, type Field, POINT_NAMES, type Point, phasesOf, pointRow } from "../../policy/points.ts"
import { code, codes, page, part, table } from "./markdown.ts"

/** What fits a field: its type, the only texts, the only members. */
function typeOf({ type, values, members, open }: Field): string {
  if (values) return codes(values)
  return members ? `${type} of ${codes(Object.keys(members))}${open ? " and more" : ""}` : type
}

function pointPart(point: Point): string {
  const row = pointRow(point)
  const phases = phasesOf(point).map((phase) => {
    const { subject = "none", limit = "run" } = row.phases[phase] ?? {}
    return [code(phase), code(lowest(PHASES[phase].ceiling, limit)), subject === "none" ? "" : code(subject)]
  })
  const fields = Object.entries(row.fields).map(([name, field]) => {
    const within = phasesOf(point).filter((phase) => carries(point, name, phase))
    const where = within.length === phasesOf(point).length ? "all" : codes(within)
    return [code(name) + (field.required ? " (required)" : ""), typeOf(field), where, field.doc]
  })
  return part(
    code(point),
    `${row.doc[0]?.toUpperCase()}${row.doc.slice(1)}.`,
    table(["phase", "up to", "`input` and `merge` are about"], phases),
    table(["field", "type", "in phases", "what it is"], fields),
  )
}

const membersPart = (key: string, members: Readonly<Record<string, readonly string[]>>): string =>
  table(
    ["phase", `what ${code(key)} may hold`],
    Object.entries(members).map(([phase, names]) => [code(phase), codes(names)]),
  )

export const points = (): string =>
  page(
    "Points",
    "The moments that a hook can be on, and what it receives there. `detent points` prints the same, and `detent schema event POINT` the JSON Schema.",
    ...POINT_NAMES.map(pointPart),
    part("What may be replaced and run", membersPart("apply", APPLY_MEMBERS), membersPart("run", RUN_MEMBERS)),
    part(
      "Event kinds",
      "`on` of an observe hook is a prefix of one of these, or `*`.",
      table(
        ["kind", "when"],
        Object.entries(HAPPENINGS).map(([kind, doc]) => [code(kind), doc]),
      ),
    ),
  )
