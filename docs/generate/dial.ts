import { CEILINGS } from "../../clamp/clamp.ts"
import { KEYS } from "../../effects/keys.ts"
import { LEVELS } from "../../effects/levels.ts"
import { PHASES } from "../../policy/phases.ts"
import { code, page, part, table } from "./markdown.ts"

export const dial = (): string =>
  page(
    "The dial",
    "Levels, the keys of an output, and the phases. See [the lifecycle](../lifecycle.md) for how they meet.",
    part(
      "Levels",
      "From least to most. Each permits everything above it in this table.",
      table(
        ["level", "a hook at this level may"],
        Object.entries(LEVELS).map(([name, { may }]) => [code(name), may]),
      ),
    ),
    part(
      "Output keys",
      "The level that each key of a hook's output needs. A key above the effective level is dropped, and the frame says by what.",
      table(
        ["key", "needs", "what it is"],
        Object.entries(KEYS).map(([name, { level, doc }]) => [code(name), code(level), doc]),
      ),
    ),
    part(
      "Phases",
      table(
        ["phase", "its ceiling", "when"],
        Object.entries(PHASES).map(([name, { ceiling, when }]) => [code(name), code(ceiling), when]),
      ),
    ),
    part(
      "Ceilings",
      "What `clampedBy`, and `by` of a ceiling, can say, in the order in which they are reported.",
      CEILINGS.map((name) => `- ${code(name)}`).join("\n"),
    ),
  )
