import type { Dialect } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

/** opencode has plugins in place of hooks: what comes here is what our own plugin sends (`plugin.ts`). */
export const OPENCODE: Dialect = {
  name: "opencode",
  title: "opencode",
  tried: "1.18.33",
  moments: MOMENTS,
  nameIn: ["opencode_event"],
  fits: ({ opencode_event: name }) => typeof name === "string",
  answer,
}
