import type { Verdict } from "../frames/frames.ts"
import { callerOf } from "./caller.ts"
import type { Call } from "./command.ts"
import { withEngine } from "./engine.ts"
import { readEvent } from "./event.ts"
import { document, formatOf } from "./format.ts"
import { tellObserved } from "./observed.ts"
import { policyOf } from "./policy.ts"
import { endWithHooks } from "./signals.ts"
import { EXIT_OF, verdictFrame } from "./verdict.ts"

/**
 * Fires one moment. This command starts for each tool call of an agent: what it imports is what an agent waits for.
 */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const { policy } = await policyOf(call)
  const event = readEvent(given.value("event"), io)
  const caller = callerOf(given.value("caller"), event)
  const { on, phase } = event
  endWithHooks()
  return withEngine(call, policy, { onObserved: tellObserved(io) }, async (engine) => {
    const verdict = await engine.fire(on, phase, event, caller ? { caller } : {})
    await printVerdict(call, verdict)
    return EXIT_OF[verdict.outcome]
  })
}

/** Prints the frames of a moment, then its verdict. */
export async function printVerdict(call: Call, verdict: Verdict): Promise<void> {
  const { io } = call
  const format = formatOf(call)
  if (format === "json") io.out.line(document({ ...verdictFrame(verdict), frames: verdict.frames }))
  else if (format === "ndjson") {
    io.out.write([...verdict.frames, verdictFrame(verdict)].map((frame) => `${JSON.stringify(frame)}\n`).join(""))
  } else {
    const { momentText } = await import("./text/moment.ts")
    io.out.line(momentText(verdict, io.out))
  }
}
