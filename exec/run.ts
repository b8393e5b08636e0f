import { resolve } from "node:path"
import type { OperationFn } from "../engine/around.ts"
import type { Frame } from "../frames/frames.ts"
import { workingFolder } from "../settings/folders.ts"
import { compilePhases, compilePiece } from "./compile.ts"
import { deliver, Outlet } from "./delivery.ts"
import { ScriptError } from "./errors.ts"
import { type OperationSetup, runOnce } from "./operation.ts"
import { type SelectedSources, selectSources, showSkipped } from "./sources.ts"
import type { RunOptions, RunResult, ScriptEngine, ScriptRequest } from "./types.ts"

/**
 * Runs one script through the `script` point: its hooks, the child, its frames, its exit code. Whatever the script does
 * is in the answer.
 *
 * @throws TypeError on a request that has not exactly one of `file` and `code`.
 */
export async function runScript(engine: ScriptEngine, request: ScriptRequest, options: RunOptions): Promise<RunResult> {
  if ((request.file === undefined) === (request.code === undefined)) {
    throw new TypeError("a script is exactly one of `file` and `code`")
  }
  const { frames, stdin, delivery, artifactsDir, signals, onNotice, onFrame: tell, ...fire } = options
  const cwd = resolve(request.cwd ?? workingFolder())
  const { phases, skipped } = selectSources(request.sources ?? {})
  for (const line of skipped) onNotice?.(showSkipped(line))

  const folder = artifactsDir === undefined ? undefined : resolve(cwd, artifactsDir)
  const artifacts = new Map<string, string>()
  const outlet = new Outlet({ frames, tell: (frame) => tell?.(frame), folder, artifacts })
  let exitCode = 1
  const onFrame = (frame: Frame): void => {
    if (frame.type === "end") exitCode = frame.exitCode
    outlet.pass(frame)
  }
  const operation = operationOf(request, options, { cwd, folder, phases, artifacts })
  const verdict = await engine.around("script", eventOf(request, cwd), operation, { ...fire, onFrame })
  if (delivery === "stream") await deliver(artifacts, (frame) => tell?.(frame))
  const { outcome, error, result } = verdict
  return { exitCode, outcome, ...(error ? { error } : result === undefined ? {} : { value: result }) }
}

/** Hooks see the file with its whole path, so that no spelling of it slips past a matcher. */
function eventOf(request: ScriptRequest, cwd: string) {
  const what = request.file === undefined ? { code: request.code } : { file: resolve(cwd, request.file) }
  return { ...request.event, args: request.args ?? [], ...what }
}

interface Setting {
  readonly cwd: string
  readonly folder: string | undefined
  readonly phases: SelectedSources["phases"]
  readonly artifacts: Map<string, string>
}

/** What the hooks stand around; run once more for each retry. */
function operationOf(request: ScriptRequest, options: RunOptions, setting: Setting): OperationFn {
  const { cwd, folder, artifacts } = setting
  let attempt = 0
  return async (input, context) => {
    attempt++
    const setup: OperationSetup = {
      plan: {
        script:
          request.file === undefined
            ? { piece: await compilePiece("[exec]", request.code ?? "") }
            : { file: resolve(cwd, request.file) },
        phases: await compilePhases(setting.phases),
        frames: options.frames,
        artifacts: { prefix: attempt === 1 ? "a" : `a${attempt}-`, ...(folder === undefined ? {} : { folder }) },
      },
      child: { cwd, env: request.env, stdin: options.stdin, frames: options.frames },
      call: request.call,
      signal: options.signal,
      signals: options.signals === true,
      artifacts,
    }
    try {
      const value = await runOnce(setup, input, context)
      context.exit(0)
      return value
    } catch (error) {
      if (error instanceof ScriptError) context.exit(error.data.exitCode)
      throw error
    }
  }
}
