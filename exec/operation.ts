import { isObject } from "../effects/json.ts"
import type { OperationContext } from "../engine/around.ts"
import type { Frame } from "../frames/frames.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import { Calls } from "./calls.ts"
import { type Child, type ChildEnd, type ChildOptions, startChild } from "./child.ts"
import { ScriptError } from "./errors.ts"
import type { Message, Plan } from "./plan.ts"
import { killOnAbort, passSignalsOn } from "./signals.ts"
import type { ScriptCall } from "./types.ts"

export interface OperationSetup {
  readonly plan: Omit<Plan, "args">
  readonly child: ChildOptions
  readonly call: ScriptCall | undefined
  readonly signal: AbortSignalLike | undefined
  /** whether signals of this process are passed on */
  readonly signals: boolean
  /** where each artifact lies, for its delivery */
  readonly artifacts: Map<string, string>
}

type Said = Extract<Message, { type: "result" | "error" }>

/**
 * Runs the child once: the operation that the engine conducts. Gives the script's value.
 *
 * @throws ScriptError when the script failed, could not be started or was cancelled.
 */
export async function runOnce(setup: OperationSetup, input: unknown, context: OperationContext): Promise<unknown> {
  const signals = [setup.signal, context.signal]
  const calls = new Calls(setup.call)
  let said: Said | undefined
  let child: Child | undefined
  const hear = (message: Message): void => {
    if (!isObject(message)) return
    if (message.type === "result" || message.type === "error") said = message
    else if (message.type === "call") calls.start(message, (answer) => child?.answer(answer))
    else if (message.type === "artifact") {
      setup.artifacts.set(message.frame.id, message.path)
      context.frame(message.frame)
    } else if (isOutput(message)) context.frame(message)
  }
  throwIfAborted(signals, 130)
  child = await startChild({ ...setup.plan, args: Array.isArray(input) ? input : [input] }, setup.child, hear)
  const undo = [killOnAbort(child.pid, signals), setup.signals ? passSignalsOn(child.pid) : () => {}]
  try {
    const end = await child.ended
    await calls.end()
    throwIfAborted(signals, end.exitCode)
    return theValue(said, end)
  } finally {
    for (const each of undo) each()
  }
}

const OUTPUTS: readonly string[] = Object.freeze(["stdout", "stderr", "log", "emit"] as const)
const isOutput = (message: Message): message is Extract<Frame, { type: "stdout" | "stderr" | "log" | "emit" }> =>
  OUTPUTS.includes(message.type)

/** The script's exit code has the last word: a value of a script that then ended with another code is no success. */
function theValue(said: Said | undefined, { exitCode, signal }: ChildEnd): unknown {
  if (said?.type === "error") throw new ScriptError(said.error, exitCode || 1)
  if (signal) throw new ScriptError({ code: "signal", message: `${signal} ended the script`, signal }, exitCode)
  if (exitCode !== 0) {
    throw new ScriptError({ code: "exit", message: `the script ended with exit code ${exitCode}` }, exitCode)
  }
  return said?.value
}

function throwIfAborted(signals: readonly (AbortSignalLike | undefined)[], exitCode: number): void {
  if (!signals.some((signal) => signal?.aborted)) return
  throw new ScriptError({ code: "cancelled", message: "the run was cancelled" }, exitCode || 130)
}
