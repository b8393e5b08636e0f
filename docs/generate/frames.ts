import { FAILURES } from "../../frames/failures.ts"
import { SKIPS } from "../../frames/frames.ts"
import { type Member, membersOf, unionOf } from "./interfaces.ts"
import { code, page, part, table } from "./markdown.ts"

const members = (rows: readonly Member[]): string =>
  rows.length === 0
    ? "It has no members."
    : table(
        ["member", "type", "there", "what it is"],
        rows.map(({ name, type, optional, doc }) => [
          code(name),
          code(type),
          optional ? "where it applies" : "always",
          doc,
        ]),
      )

const names = (rows: Readonly<Record<string, string>>, head: string): string =>
  table(
    [head, "why"],
    Object.entries(rows).map(([name, doc]) => [code(name), doc]),
  )

const FILE = "frames/frames.ts"

export const frames = (): string =>
  page(
    "Frames",
    "One JSON object a line. [Frames](../frames.md) says in which order they come. Readers must let pass frames of a type that they do not know.",
    ...unionOf(FILE, "Frame").map(({ type, members: rows }) => part(code(type), members(rows))),
    part("The verdict", "What one moment, or one operation, came to.", members(membersOf(FILE, "Verdict"))),
    part("Where a ceiling came from", members(membersOf(FILE, "CeilingSource"))),
    part("What was dropped", members(membersOf("clamp/clamp.ts", "Dropped"))),
    part("Why a hook was skipped", names(SKIPS, "`skipped`")),
    part("Why a hook failed", members(membersOf("frames/failures.ts", "Failed")), names(FAILURES, "`failed.kind`")),
  )
