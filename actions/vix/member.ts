import { type CommandEnd, type Reading, readCommand, readFinalText } from "../../dialects/vix/decision.ts"
import type { Envelope } from "../../dialects/vix/envelope.ts"
import type { ActionContext } from "../../engine/ports.ts"
import { complete } from "../../policy/complete.ts"
import type { Hook } from "../../policy/policy.ts"
import { StepContext } from "../workflow/context.ts"
import type { FolderHook } from "./folder.ts"
import type { Outer, Runners } from "./runners.ts"
import { Steps } from "./steps.ts"

/** What one hook came to: a decision, or why there is none. */
export interface Came {
  readonly reading?: Reading
  /** a sentence of ours: what failed */
  readonly error?: string
  /** how a command ended, for the log */
  readonly exit?: number
  /** what a workflow or a prompt said at its end */
  readonly text?: string
  readonly notes: readonly string[]
}

/** Runs one hook by the real runners, within its own time. What goes wrong is an answer: the action goes on. */
export async function runMember(hook: FolderHook, envelope: Envelope, runners: Runners, outer: Outer): Promise<Came> {
  const { timeoutMs, action } = hook
  // The deadline is the hook's own: the group ends later.
  const context = new StepContext({ ...parts(outer), hook: asHook(hook, envelope), timeoutMs }, timeoutMs)
  try {
    if (action.kind === "command") return await runCommand(hook, action.command, envelope, runners, context)
    const steps = new Steps(runners, envelope)
    if (action.kind === "prompt") return said(await steps.prompt(action.prompt, context), hook)
    if (action.kind === "workflow") return said(await steps.walk(action.workflow, context), hook)
    throw new TypeError("the name of a workflow was not looked up")
  } finally {
    context.done()
  }
}

const parts = (outer: Outer): Outer => ({
  effective: outer.effective,
  operation: outer.operation,
  get signal() {
    return outer.signal
  },
  call: (server, tool, args) => outer.call(server, tool, args),
})

/** A hook of a folder in the shape that the runners know: where it runs, and what is told of it. */
function asHook({ id, cwd, folder, timeoutMs }: FolderHook, envelope: Envelope): Hook {
  const place = cwd ?? (typeof envelope.cwd === "string" && envelope.cwd !== "" ? envelope.cwd : folder)
  const action = { kind: "run", argv: [] } as const
  return complete({ on: "call", phase: "before", action, timeoutMs, effect: "apply", cwd: place, base: folder }, id, [])
}

async function runCommand(
  { event }: FolderHook,
  command: string,
  envelope: Envelope,
  { run }: Runners,
  context: ActionContext,
): Promise<Came> {
  const { result, end } = await run.runRaw(["bash", "-c", command], envelope, context)
  const notes = ("notes" in result && result.notes) || []
  const ended = end?.how === "exited" ? textsOf(end) : undefined
  const exit = end?.how === "exited" ? { exit: end.code } : {}
  if (ended === undefined) {
    const error = "failed" in result ? result.failed.message : "stdout or stderr is not UTF-8"
    return { error, notes, ...exit }
  }
  const reading = readCommand(ended, event)
  if (!reading) return { error: `the command ended with exit code ${ended.code}`, notes, ...exit }
  return { reading, notes, ...exit }
}

function textsOf(end: { readonly code: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }) {
  try {
    const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    // What is kept of stderr may be cut within a character.
    const stderr = new TextDecoder().decode(end.stderr)
    return { code: end.code, stdout: decode(end.stdout), stderr } satisfies CommandEnd
  } catch {
    return undefined
  }
}

function said(came: Awaited<ReturnType<Steps["walk"]>>, { event }: FolderHook): Came {
  if (came.error !== undefined) return { error: came.error, notes: came.notes }
  return { reading: readFinalText(came.text, event), text: came.text, notes: came.notes }
}
