import { concerning, groupHook } from "../../actions/vix/group.ts"
import type { Decision } from "../../dialects/vix/decision.ts"
import { type Envelope, eventOf } from "../../dialects/vix/envelope.ts"
import { vixEvent } from "../../dialects/vix/events.ts"
import { answerOf } from "../../dialects/vix/verdict.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { tellError } from "../errors.ts"
import { tellObserved } from "../observed.ts"
import { policyOf } from "../policy.ts"
import { endWithHooks } from "../signals.ts"
import { startBehind } from "./behind.ts"
import { envelopeIn } from "./envelope.ts"
import { openFolder, withWorld } from "./folder.ts"

/** The exit code of a denial, as vix reads its hooks. */
const DENIED = 2

/** Answers vix for one event: the folder's hooks and the policy in force, put together. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  try {
    return tell(call, await decide(call))
  } catch (error) {
    if (given.value("on-failure") !== "closed") throw error
    tellError(error, io)
    return tell(call, { behavior: "deny", reason: "no hook could be asked (`--on-failure closed`)" })
  }
}

function tell({ io }: Call, decision: Decision): number {
  io.out.line(JSON.stringify(decision))
  if (decision.behavior !== "deny") return 0
  io.err.line(decision.reason ?? "denied")
  return DENIED
}

async function decide(call: Call): Promise<Decision> {
  const { io } = call
  const envelope = envelopeIn(io.stdin())
  const { policy } = await policyOf(call)
  const opened = await openFolder(call)
  const concerned = concerning(opened.hooks, envelope)
  const behind = concerned.filter(({ mode }) => mode === "async")
  if (behind.length > 0) startBehind(call, behind, opened.dir, envelope)
  return withWorld(call, opened, policy, async (world) => {
    const { on, phase, event } = eventOf(envelope)
    const sync = concerned.filter(({ mode }) => mode === "sync")
    const group = sync.length === 0 ? {} : { hooks: [groupHook(envelope.hook_event_name, phase, sync, world)] }
    return withEngine(call, policy, { ...group, onObserved: tellObserved(io) }, async (engine) => {
      endWithHooks()
      const verdict = await engine.fire(on, phase, event, { host: hostOf(envelope) })
      const { decision, notices } = answerOf(envelope.hook_event_name, event, verdict)
      for (const notice of notices) io.err.line(`detent: ${notice}`)
      return decision
    })
  })
}

/** What vix can carry out at an event is one more ceiling. */
const hostOf = ({ hook_event_name: name }: Envelope) => ({ name: "vix", max: vixEvent(name).carries })
