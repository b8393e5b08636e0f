import type { Approval } from "../store/ports.ts"
import { askDaemon, NoDaemonError } from "./client.ts"
import type { Call } from "./command.ts"
import { document, formatOf } from "./format.ts"
import type { Out } from "./io.ts"
import { brief, oneLine } from "./text/plain.ts"

/** Lists the questions that wait, or answers one. */
export async function run(call: Call): Promise<number> {
  const [id, ...answers] = call.args
  const { io } = call
  const format = formatOf(call)
  const found = await inDaemon(call, id, answers).catch(async (cause: unknown) => {
    // One that was named is meant; else what `detent mcp` asks stands in the same store, whether a daemon runs or not.
    if (!(cause instanceof NoDaemonError) || call.given.value("socket") !== undefined) throw cause
    const { inStore } = await import("./approvals-store.ts")
    return inStore(call, cause, id, answers)
  })
  if (format === "json") io.out.line(document(found))
  else if (format === "ndjson") for (const approval of found) io.out.line(JSON.stringify(approval))
  else if (found.length === 0) io.out.line(io.out.paint("faint", "no question waits"))
  else for (const approval of found) io.out.line(approvalText(approval, io.out))
  return 0
}

const inDaemon = async (
  call: Call,
  id: string | undefined,
  answers: readonly string[],
): Promise<readonly Approval[]> =>
  id !== undefined && answers.length > 0
    ? [await answer(call, id, answers)]
    : (await list(call)).filter((approval) => id === undefined || approval.id === id)

async function list(call: Call): Promise<readonly Approval[]> {
  const state = call.given.value("state")
  const query = state === undefined ? "" : `?state=${encodeURIComponent(state)}`
  const { approvals } = await askDaemon(call, { path: `/v1/approvals${query}` })
  return approvals as readonly Approval[]
}

async function answer(call: Call, id: string, answers: readonly string[]): Promise<Approval> {
  const path = `/v1/approvals/${encodeURIComponent(id)}`
  return (await askDaemon(call, { method: "POST", path, body: { answers } })) as unknown as Approval
}

function approvalText(approval: Approval, { paint }: Out): string {
  const { id, caller, questions, event, state, expiresAt, answers } = approval
  const what = [event.server, event.tool].filter((part) => typeof part === "string").join("/")
  const head = `${paint("strong", oneLine(id))} ${state}: ${oneLine(caller)} wants ${oneLine(what || String(event.on))} ${brief(event.args)}`
  const asked = questions.map(({ hook, question, choices = ["yes", "no"] }, at) => {
    const said = answers?.[at] === undefined ? `[${choices.map(oneLine).join("/")}]` : `→ ${oneLine(answers[at]!)}`
    return `  ${oneLine(hook)} asks: ${oneLine(question)} ${said}`
  })
  return [head, ...asked, paint("faint", `  until ${expiresAt}`)].join("\n")
}
