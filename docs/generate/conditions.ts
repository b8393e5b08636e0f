import { OPERATIONS } from "../../policy/logic/operations.ts"
import { code, page, table } from "./markdown.ts"

export const conditions = (): string =>
  page(
    "Conditions",
    'The operations of a condition. It is JSON Logic over the event: `{ "==": [{ "var": "caller.env" }, "prod"] }`.',
    table(
      ["operation", "what it gives"],
      Object.entries(OPERATIONS).map(([name, { doc }]) => [code(name), doc]),
    ),
  )
