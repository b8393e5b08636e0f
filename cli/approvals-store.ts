import { existsSync } from "node:fs"
import { join } from "node:path"
import { answererOf, callerOf, checkScope } from "../daemon/callers.ts"
import { Problem } from "../daemon/problem.ts"
import { routeRow } from "../daemon/routes.ts"
import { ownFolder } from "../settings/folders.ts"
import { StoreError } from "../store/errors.ts"
import type { Approval, ApprovalState } from "../store/ports.ts"
import { STATE_FILE, type State } from "../store/state/state.ts"
import { withState } from "./callers/state.ts"
import { TOKEN } from "./client.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"

/**
 * The questions that wait where no daemon runs, of this user's own store; who may see and answer them is what the daemon
 * would say.
 *
 * @throws CommandError where nothing has ever been asked, the first one's own words; and where it may not be answered.
 */
export async function inStore(
  call: Call,
  none: CommandError,
  id: string | undefined,
  answers: readonly string[],
): Promise<readonly Approval[]> {
  const { io } = call
  if (!existsSync(join(ownFolder("state", io.env), STATE_FILE))) throw none
  io.err.line(`detent: ${none.message}: these are the questions of your own store`)
  try {
    return await withState(call, (state) =>
      id !== undefined && answers.length > 0 ? answer(call, state, id, answers) : list(call, state, id),
    )
  } catch (cause) {
    if (cause instanceof Problem)
      throw new CommandError(cause.message, cause.code === "unauthorized" ? `set \`${TOKEN}\`` : cause.hint)
    if (cause instanceof StoreError) throw new CommandError(cause.message, cause.hint)
    throw cause
  }
}

/** @throws Problem where whoever has this token, or none, may not. */
async function whoIn({ io }: Call, { callers }: State, route: "approvals" | "answerApproval") {
  const token = io.env[TOKEN]
  const caller = await callerOf(callers, token ? `Bearer ${token}` : undefined, "socket")
  checkScope(caller, routeRow(route).scopes ?? [])
  return caller
}

async function list(call: Call, state: State, id: string | undefined): Promise<readonly Approval[]> {
  await whoIn(call, state, "approvals")
  const wanted = (call.given.value("state") ?? "open") as ApprovalState | "all"
  const found = await state.approvals.list(wanted === "all" ? {} : { state: wanted })
  return found.filter((approval) => id === undefined || approval.id === id)
}

async function answer(call: Call, state: State, id: string, answers: readonly string[]): Promise<readonly [Approval]> {
  const caller = await whoIn(call, state, "answerApproval")
  const result = await state.approvals.answer(id, answers, answererOf(caller))
  if (result.ok) return [result.approval]
  throw new CommandError(result.message)
}
