import { CUT_VARIABLE, INHERITED, VARIABLE_LIMIT, VARIABLES } from "../../actions/run/environment.ts"
import { ACTIONS } from "../../policy/actions.ts"
import { code, codes, page, part, table } from "./markdown.ts"

export const actions = (): string =>
  page(
    "Actions",
    "What a hook runs: exactly one of these keys a hook.",
    table(
      ["action", "key", "what runs"],
      Object.entries(ACTIONS).map(([kind, { key, doc }]) => [code(kind), code(key), doc]),
    ),
    part(
      "Variables of a `run` hook",
      `A child gets these beside the event on stdin, each cut to ${VARIABLE_LIMIT} bytes; ${code(CUT_VARIABLE)} names those that were cut.`,
      table(
        ["variable", "what it is"],
        Object.entries(VARIABLES).map(([name, { doc }]) => [code(`DETENT_HOOK_${name}`), doc]),
      ),
      `Of its parent's environment it gets ${codes(INHERITED)} and ${code("LC_*")}, and what the hook's ${code("env")} names.`,
    ),
  )
