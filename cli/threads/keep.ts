import { type Environment, ownFolder } from "../../settings/folders.ts"
import type { ThreadStore } from "../../store/ports.ts"
import { openState } from "../../store/state/state.ts"

/** The daemon's notices, for as long as `use` runs: the same file, whether the daemon runs or not. */
export async function withThreads<T>(env: Environment, use: (threads: ThreadStore) => Promise<T>): Promise<T> {
  const state = await openState(ownFolder("state", env))
  try {
    return await use(state.threads)
  } finally {
    state.close()
  }
}

/** Keeps one notice; the answer is its id. */
export const keepNotice = (env: Environment, thread: Parameters<ThreadStore["create"]>[0]): Promise<string> =>
  withThreads(env, async (threads) => (await threads.create(thread)).id)
