import { ceilingOf } from "../../dialects/ceiling.ts"
import type { Dialect, MomentRow } from "../../dialects/dialect.ts"
import { DIALECTS } from "../../dialects/dialects.ts"
import { lowest } from "../../effects/levels.ts"
import { PHASES } from "../../policy/phases.ts"
import { pointRow } from "../../policy/points.ts"
import { code, page, part, table } from "./markdown.ts"

const APPLY = {
  replaces: "replaced",
  grants: "refused with the proposal; the agent would take it for a grant",
  unsure: "refused with the proposal; the agent may discard it",
  none: "refused with the proposal",
} as const satisfies Record<MomentRow["apply"], string>

/** The level that is left after the host's, the phase's and the point's ceilings. */
const upTo = (row: MomentRow): string =>
  code(
    lowest(
      ceilingOf(row, false),
      ...row.phases
        .slice(0, 1)
        .flatMap((phase) => [PHASES[phase].ceiling, pointRow(row.on).phases[phase]?.limit ?? "run"]),
    ),
  )

function rewritten(row: MomentRow): string {
  const [phase] = row.phases
  const { subject = "none" } = (phase && pointRow(row.on).phases[phase]) ?? {}
  if (subject === "none") return ""
  return row.apply === "none" && row.refuse === "none" ? "dropped" : APPLY[row.apply]
}

const rowOf = ([name, row]: readonly [string, MomentRow]): string[] => [
  code(name),
  `${code(row.on)} ${row.phases.map(code).join(", ")}`,
  upTo(row),
  row.refuse === "none" ? "dropped" : row.refuse,
  row.refuse === "none" ? "dropped" : row.ask === "asks" ? "asked" : "refused",
  rewritten(row),
  row.advise,
  `${row.timeoutMs / 1000} s`,
]

const hostPart = (dialect: Dialect): string =>
  part(
    `${dialect.title} (${code(dialect.name)})`,
    table(
      ["event", "moment", "up to", "a refusal", "a question", "a replacement", "advice goes to", "waits"],
      Object.entries(dialect.moments).map(rowOf),
    ),
  )

export const hosts = (): string =>
  page(
    "Hosts",
    'What each agent can carry of a verdict, event by event. What it cannot is lowered before any hook runs (`by: ["host"]`), and said. An event that is not listed reaches observers as `agent.event`.',
    ...Object.values(DIALECTS).map(hostPart),
  )
