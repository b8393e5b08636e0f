import { AsyncLocalStorage } from "node:async_hooks"
import { MAX_DEPTH } from "../../engine/operation.ts"
import { CallFailed } from "./failed.ts"

/** One request that is under way, inside another where a hook has made it. */
interface Nest {
  readonly outer: Nest | undefined
  under: boolean
}

const nests = new AsyncLocalStorage<Nest>()

/** The innermost request that is still under way: what a hook has only left behind is nested in nothing. */
function around(nest: Nest | undefined): Nest | undefined {
  let at = nest
  while (at && !at.under) at = at.outer
  return at
}

function depthOf(nest: Nest | undefined): number {
  return nest === undefined ? 0 : 1 + depthOf(around(nest.outer))
}

/** Runs something that no hook does. */
export type Free = <T>(work: () => T) => T

/**
 * Runs one request. A hook may make requests itself, and these pass the hooks: without a limit it would call itself for ever.
 *
 * @param work gets what runs the parts of it that are no hook's
 * @throws CallFailed where requests that hooks have made nest too deep.
 */
export async function nested<T>(work: (free: Free) => Promise<T>): Promise<T> {
  const outer = around(nests.getStore())
  if (depthOf(outer) > MAX_DEPTH) {
    const message = `calls made by hooks nest deeper than ${MAX_DEPTH}`
    throw new CallFailed({ kind: "denied", message, reason: "policy_denied" })
  }
  const nest: Nest = { outer, under: true }
  try {
    return await nests.run(nest, () => work((part) => nests.run(outer as Nest, part)))
  } finally {
    nest.under = false
  }
}
