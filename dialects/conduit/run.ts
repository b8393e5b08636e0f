import type { AbortSignalLike } from "../../policy/policy.ts"
import type { CompiledEntry } from "./compile.ts"
import type { HookEnd, HookFailure, HookRun } from "./types.ts"

/** What a hook's run needs of the world. */
export interface World {
  /** milliseconds on a clock that never goes back */
  now(): number
  after(ms: number, fn: () => void): () => void
  abort(): { readonly signal: AbortSignalLike; abort(reason?: unknown): void }
  /** stands around each run, and answers what it answers: for telemetry */
  observe?<Ran extends { readonly end: HookEnd }>(run: HookRun, go: () => Promise<Ran>): Promise<Ran>
}

/** What a hook's answer was read as; undefined: it is outside of what its event takes. */
export type Reading<Read> = (answer: unknown) => Read | undefined | Promise<Read | undefined>

export type Ran<Read> =
  | { readonly end: Extract<HookEnd, { status: string }>; readonly read: Read }
  | { readonly end: Extract<HookEnd, { reason: string }>; readonly read?: undefined }

/**
 * Runs one hook to its end or to its deadline. What it answers later is ignored, and what it throws is nobody's: it may
 * quote the arguments or the result.
 *
 * @param ended aborted when the call is cancelled
 */
export async function runHook<Read extends { readonly status: Extract<HookEnd, { status: string }>["status"] }>(
  { fn, timeout }: CompiledEntry,
  given: (signal: AbortSignalLike) => readonly unknown[],
  read: Reading<Read>,
  world: World,
  ended: AbortSignalLike,
): Promise<Ran<Read>> {
  const controller = world.abort()
  const began = world.now()
  const work = async (): Promise<Read | HookFailure> => {
    let answer: unknown
    try {
      answer = await fn(...given(controller.signal))
    } catch {
      return "raise"
    }
    // A function that held up the whole process is late all the same.
    if (world.now() - began > timeout) return "timeout"
    try {
      return (await read(answer)) ?? "bad_return"
    } catch {
      return "bad_return"
    }
  }
  const outcome = await new Promise<Read | HookFailure>((resolve) => {
    const end = (failure: HookFailure) => () => {
      resolve(failure)
      controller.abort()
    }
    const cancelled = end("exit")
    const cancel = world.after(timeout, end("timeout"))
    ended.addEventListener("abort", cancelled, { once: true })
    void work().then((done) => {
      cancel()
      ended.removeEventListener("abort", cancelled)
      resolve(done)
    })
  })
  if (typeof outcome === "string") return { end: { reason: outcome } }
  return { end: { status: outcome.status }, read: outcome }
}
