import { isLevel, type Level } from "../../effects/levels.ts"
import { nearest } from "../../policy/nearest.ts"
import { isScope, SCOPE_NAMES, type Scope } from "../../store/scopes.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import { oneLine } from "../text/plain.ts"
import { withState } from "./state.ts"

/** Gives a caller a token. It is printed here and never again. */
export async function run(call: Call): Promise<number> {
  const { args, given, io } = call
  const id = args[0] ?? ""
  if (!/^[^\s\p{Cc}]{1,100}$/u.test(id)) throw new CommandError(`\`${oneLine(id)}\` is no id of a caller`, "one word")
  const autonomy = given.value("autonomy") ?? "run"
  const description = given.value("description")
  const env = given.value("env")
  const added = await withState(call, ({ callers }) =>
    callers.add({
      id,
      autonomy: isLevel(autonomy) ? autonomy : ("run" satisfies Level),
      scopes: scopesOf(given.values("scope")),
      ...(description === undefined ? {} : { description }),
      ...(env === undefined ? {} : { env }),
    }),
  )
  const format = formatOf(call)
  if (format === "json") io.out.line(document(added))
  else if (format === "ndjson") io.out.line(JSON.stringify(added))
  else {
    io.out.line(added.token)
    io.err.line("detent: this token is shown once; `Authorization: Bearer TOKEN`, or the variable `DETENT_TOKEN`")
  }
  return 0
}

function scopesOf(given: readonly string[]): readonly Scope[] {
  if (given.length === 0) return ["decide"]
  return [...new Set(given)].map((scope) => {
    if (isScope(scope)) return scope
    const near = nearest(scope, SCOPE_NAMES)
    throw new CommandError(
      `unknown scope \`${scope}\``,
      near === undefined ? `the scopes are ${SCOPE_NAMES.join(", ")}` : `did you mean \`${near}\`?`,
    )
  })
}
