import type { Thread } from "../../store/ports.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import type { Io } from "../io.ts"
import { oneLine } from "../text/plain.ts"
import { withThreads } from "./keep.ts"

/** Lists the notices, newest first, or shows one of them, which is read then. */
export async function run(call: Call): Promise<number> {
  const { args, given, io } = call
  const [id] = args
  return withThreads(io.env, async (threads) => {
    if (id === undefined) {
      print(call, await threads.list(given.on("unread") ? { unread: true } : {}))
      return 0
    }
    const thread = await threads.get(id)
    if (!thread) throw new CommandError(`there is no notice \`${id}\``, "`detent threads` lists them")
    await threads.mark(id, false)
    if (formatOf(call) === "text") io.out.line(`${headOf(thread, io)}\n\n${thread.message}`)
    else print(call, [{ ...thread, unread: false }])
    return 0
  })
}

function print(call: Call, list: readonly Thread[]): void {
  const { io } = call
  const format = formatOf(call)
  if (format === "json") io.out.line(document(list))
  else if (format === "ndjson") for (const thread of list) io.out.line(JSON.stringify(thread))
  else if (list.length === 0) io.out.line(io.out.paint("faint", "no notices"))
  else for (const thread of list) io.out.line(headOf(thread, io))
}

const headOf = ({ id, title, message, createdAt, unread, caller }: Thread, { out }: Io): string => {
  const what = oneLine(title ?? message.split("\n")[0] ?? "")
  return `${unread ? "*" : " "} ${id} ${out.paint("strong", what)} ${out.paint("faint", `${createdAt}, from ${oneLine(caller)}`)}`
}
