import type { Dialect, MomentRow } from "../../dialects/dialect.ts"
import { DIALECTS } from "../../dialects/dialects.ts"
import { levelAt, wordsOf } from "../../dialects/hosts.ts"
import { code, page, part, table } from "./markdown.ts"

function rowOf([name, row]: readonly [string, MomentRow]): string[] {
  const { advise, refuse, ask, apply } = wordsOf(row)
  const moment = `${code(row.on)} ${row.phases.map(code).join(", ")}`
  return [code(name), moment, code(levelAt(row)), refuse, ask, apply, advise, `${row.timeoutMs / 1000} s`]
}

const hostPart = (dialect: Dialect): string =>
  part(
    `${dialect.title} (${code(dialect.name)})`,
    dialect.tried === undefined
      ? "Written after its documentation, and not tried with the agent itself."
      : `Tried with the agent itself, release ${dialect.tried}.`,
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
