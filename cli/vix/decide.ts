import type { FolderHook } from "../../actions/vix/folder.ts"
import { concerning, groupHook } from "../../actions/vix/group.ts"
import type { Decision } from "../../dialects/vix/decision.ts"
import { type Envelope, eventOf } from "../../dialects/vix/envelope.ts"
import { vixEvent } from "../../dialects/vix/events.ts"
import { answerOf } from "../../dialects/vix/verdict.ts"
import { startBehind } from "../behind.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { tellError } from "../errors.ts"
import { observersApart, sameFlags } from "../hook/apart.ts"
import { policyOf } from "../policy.ts"
import { endWithHooks } from "../signals.ts"
import { envelopeIn } from "./envelope.ts"
import { openFolder, withWorld } from "./folder.ts"

/** The exit code of a denial, as vix reads its hooks. */
const DENIED = 2

/** Answers vix for one event: the folder's hooks and the policy in force, put together. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  try {
    const { decision, observe } = await decide(call)
    const code = tell(call, decision)
    await observe()
    return code
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

interface Decided {
  readonly decision: Decision
  /** starts the observers, once the decision has been said */
  readonly observe: () => Promise<void>
}

async function decide(call: Call): Promise<Decided> {
  const { io } = call
  const envelope = envelopeIn(io.stdin())
  const { policy, publish, start: observe } = observersApart(call, (await policyOf(call)).policy, LOCAL)
  const opened = await openFolder(call)
  const concerned = concerning(opened.hooks, envelope)
  const behind = concerned.filter(({ mode }) => mode === "async")
  if (behind.length > 0) startAsync(call, behind, opened.dir, envelope)
  return withWorld(call, opened, policy, async (world) => {
    const { on, phase, event } = eventOf(envelope)
    const sync = concerned.filter(({ mode }) => mode === "sync")
    const group = sync.length === 0 ? {} : { hooks: [groupHook(envelope.hook_event_name, phase, sync, world)] }
    return withEngine(call, policy, { ...group, ...(publish ? { publish } : {}) }, async (engine) => {
      endWithHooks()
      const verdict = await engine.fire(on, phase, event, { host: hostOf(envelope) })
      const { decision, notices } = answerOf(envelope.hook_event_name, event, verdict)
      for (const notice of notices) io.err.line(`detent: ${notice}`)
      return { decision, observe }
    })
  })
}

const LOCAL = Object.freeze({ id: "local" })

/** Async hooks run as `hook trigger` runs them, so that there is one way to fire a hook for its own sake. */
function startAsync(call: Call, hooks: readonly FolderHook[], dir: string, envelope: Envelope): void {
  const ids = hooks.map(({ id }) => id)
  const own = ["--dir", dir, "--event", "-", "--format", "ndjson"]
  const words = ["hook", "trigger", ...ids, ...own, ...sameFlags(call, "hook trigger", ["dir", "event", "format"])]
  startBehind(call.io, words, JSON.stringify(envelope))
}

/** What vix can carry out at an event is one more ceiling. */
const hostOf = ({ hook_event_name: name }: Envelope) => ({ name: "vix", max: vixEvent(name).carries })
