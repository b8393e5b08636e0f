import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { oneLine } from "../text/plain.ts"
import { withState } from "./state.ts"

/** Takes a caller's token out of force. */
export async function run(call: Call): Promise<number> {
  const id = call.args[0] ?? ""
  const revoked = await withState(call, ({ callers }) => callers.revoke(id))
  if (!revoked)
    throw new CommandError(`no caller \`${oneLine(id)}\` has a token in force`, "`detent caller list` lists them")
  call.io.err.line(`detent: the token of \`${oneLine(id)}\` is nobody's any more`)
  return 0
}
