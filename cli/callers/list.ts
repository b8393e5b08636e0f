import type { CallerRecord } from "../../store/ports.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import { oneLine } from "../text/plain.ts"
import { withState } from "./state.ts"

/** Lists who has, or had, a token. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const callers = await withState(call, (state) => state.callers.list())
  const format = formatOf(call)
  if (format === "json") io.out.line(document(callers))
  else if (format === "ndjson") for (const caller of callers) io.out.line(JSON.stringify(caller))
  else if (callers.length === 0) io.out.line(io.out.paint("faint", "nobody has a token: who asks is the local user"))
  else for (const caller of callers) io.out.line(callerText(caller, io.out.paint))
  return 0
}

function callerText(caller: CallerRecord, paint: Call["io"]["out"]["paint"]): string {
  const { id, autonomy, scopes, env, description, addedAt, revokedAt } = caller
  const state = revokedAt === undefined ? `since ${addedAt}` : paint("bad", `revoked ${revokedAt}`)
  const more = [env === undefined ? "" : `env ${oneLine(env)}`, description === undefined ? "" : oneLine(description)]
  return [paint("strong", oneLine(id)), `up to ${autonomy}`, scopes.join(" "), ...more, state]
    .filter((part) => part !== "")
    .join(", ")
}
