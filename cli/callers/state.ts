import { ownFolder } from "../../settings/folders.ts"
import { openState, type State } from "../../store/state/state.ts"
import type { Call } from "../command.ts"

/** What the daemon of this user remembers, for as long as `use` runs; a daemon that runs sees every change at once. */
export async function withState<T>({ io }: Call, use: (state: State) => Promise<T>): Promise<T> {
  const state = await openState(ownFolder("state", io.env))
  try {
    return await use(state)
  } finally {
    state.close()
  }
}
