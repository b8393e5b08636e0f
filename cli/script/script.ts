import { sourcesOf } from "../../exec/in-force.ts"
import { runScript } from "../../exec/run.ts"
import { callThrough } from "../../mcp/script-call.ts"
import { readCaller } from "../caller.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { tellObserved } from "../observed.ts"
import { policyOf } from "../policy.ts"
import { endWithHooks } from "../signals.ts"
import { terminalAsker } from "./ask.ts"
import { outputOf } from "./output.ts"
import type { Script } from "./what.ts"

/** Runs a script with the hooks in force here around it; the answer is its exit code. */
export async function runWith(call: Call, script: Script): Promise<number> {
  const { given, io } = call
  if (given.on("remote")) return (await import("./remote.ts")).runRemote(call, script)
  const caller = readCaller(given.value("caller")) ?? { id: "local" }
  const { policy } = await policyOf(call)
  const ask = terminalAsker(io)
  // The script and its calls are one run: what prompts may use in a run counts over all of them.
  const partOf = {}
  const cancel = new AbortController()
  const output = outputOf(call)
  // Where nobody reads any more, nothing is left to run for.
  io.out.onClosed(() => cancel.abort())
  const artifacts = given.value("artifacts")
  const event = { cwd: io.cwd }
  endWithHooks()
  return withEngine(call, policy, { ask, onObserved: tellObserved(io) }, async (engine, servers) => {
    const result = await runScript(
      engine,
      {
        ...script,
        cwd: io.cwd,
        env: io.env,
        event,
        sources: sourcesOf(policy, caller, { ...event, ...script }),
        call: callThrough(engine, servers, { caller, partOf }, output.frame),
      },
      {
        frames: output.frames,
        stdin: "inherit",
        signals: true,
        signal: cancel.signal,
        caller,
        partOf,
        onFrame: output.frame,
        onNotice: (text) => io.err.line(`detent: ${text}`),
        ...(given.value("delivery") === "stream" ? { delivery: "stream" } : {}),
        ...(artifacts === undefined ? {} : { artifactsDir: artifacts }),
      },
    )
    output.end(result)
    return result.exitCode
  })
}
