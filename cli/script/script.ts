import { resolve } from "node:path"
import { createEngine } from "../../actions/engine.ts"
import type { JsonObject } from "../../effects/json.ts"
import { DaemonCeilings } from "../../engine/daemon.ts"
import { runScript } from "../../exec/run.ts"
import type { SourceChoice } from "../../exec/sources.ts"
import type { Policy } from "../../policy/policy.ts"
import { readCaller } from "../caller.ts"
import { cassettesOf } from "../cassettes.ts"
import type { Call } from "../command.ts"
import { tellObserved } from "../observed.ts"
import { policyOf } from "../policy.ts"
import { serversOf } from "../servers.ts"
import { endWithHooks } from "../signals.ts"
import { terminalAsker } from "./ask.ts"
import { callThrough } from "./call.ts"
import { outputOf } from "./output.ts"

/** What to run: a file or code, and its arguments. */
export type Script = { readonly args: readonly string[] } & ({ readonly file: string } | { readonly code: string })

/** Runs a script with the hooks in force here around it; the answer is its exit code. */
export async function runWith(call: Call, script: Script): Promise<number> {
  const { given, io } = call
  const caller = readCaller(given.value("caller")) ?? { id: "local" }
  const { policy } = await policyOf(call)
  const ask = terminalAsker(io)
  const servers = serversOf(policy, io)
  const engine = await createEngine({
    policy,
    env: io.env,
    cwd: io.cwd,
    onObserved: tellObserved(io),
    ...cassettesOf(call),
    ...servers.ports,
    ...(ask ? { ask } : {}),
  })
  // The script and its calls are one run: what prompts may use in a run counts over all of them.
  const partOf = {}
  const cancel = new AbortController()
  const output = outputOf(call)
  // Where nobody reads any more, nothing is left to run for.
  io.out.onClosed(() => cancel.abort())
  const artifacts = given.value("artifacts")
  const event = { cwd: io.cwd }
  endWithHooks()
  try {
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
  } finally {
    await engine.close()
    await servers.close()
  }
}

/** The lines of `script.<phase>`, and the levels that those of configuration and environment must reach. */
function sourcesOf(policy: Policy, caller: JsonObject, script: JsonObject & { readonly cwd: string }): SourceChoice {
  const { file, cwd } = script
  const place = typeof file === "string" ? { file: resolve(cwd, file) } : {}
  const event = { ...script, ...place, on: "script", phase: "before", caller }
  const daemon = new DaemonCeilings(policy, [])
  const { level, source } = daemon.lower(daemon.base, event)
  const { id, reason, origin } = source
  const named = { ...(id === undefined ? {} : { id }), ...(reason === undefined ? {} : { reason }) }
  return {
    lines: policy.script,
    ...(policy.hooksAutonomy ? { caller: policy.hooksAutonomy } : {}),
    daemon: [{ value: level, origin: { layer: "default", source: origin }, ...named }],
  }
}
