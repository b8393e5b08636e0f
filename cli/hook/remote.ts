import type { Answer, Reading } from "../../dialects/dialect.ts"
import { type JsonObject, parseJson } from "../../effects/json.ts"
import { openDaemon, textOf } from "../client.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"

/** Asks the daemon about an agent's event; its answer is the exit code on a line, and then what is said. */
export async function remoteAnswer(call: Call, { dialect, name }: Reading, payload: JsonObject): Promise<Answer> {
  const { given } = call
  const timeout = given.value("timeout")
  const query = new URLSearchParams({
    event: name,
    ...(timeout === undefined ? {} : { timeout }),
    ...(given.on("rewrite-grants") ? { rewriteGrants: "true" } : {}),
  })
  const path = `/v1/hook/${dialect.name}?${query}`
  const text = await textOf(await openDaemon(call, { method: "POST", path, body: payload }))
  const [, code, rest] = /^([02])\n?([\s\S]*)$/.exec(text) ?? []
  if (code === undefined) throw new CommandError("the daemon answered something else than it should")
  if (code === "2") return { stderr: rest ?? "", exitCode: 2 }
  return rest ? { stdout: parseJson(rest) as JsonObject, exitCode: 0 } : { exitCode: 0 }
}
