import { createEngine } from "../actions/engine.ts"
import { DaemonCeilings } from "../engine/daemon.ts"
import type { Engine } from "../engine/engine.ts"
import type { Happening } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { Pool } from "../mcp/pool.ts"
import type { Policy } from "../policy/policy.ts"
import { ceilingsHash, policyHash } from "../store/binding.ts"
import type { World } from "./world.ts"

/** What an engine of the daemon tells besides its verdicts. */
export interface Listeners {
  readonly publish: (happening: Happening) => void
  readonly onObserved: (frame: Frame) => void
}

/** A policy in force, with all that was made of it. It ends when another has taken its place and nobody uses it any more. */
export class Standing {
  readonly policy: Policy
  readonly notices: readonly string[]
  readonly engine: Engine
  /** the daemon's part of the clamp, for what has to be told of it before any hook runs */
  readonly ceilings: DaemonCeilings
  /** what answers of people are bound to, and what the record names */
  readonly hashes: { readonly policy: string; readonly ceilings: string }
  readonly pool: () => Promise<Pool>
  readonly #end: () => Promise<void>
  #users = 0
  #ended: Promise<void> | undefined
  #retired: (() => void) | undefined

  constructor(made: Pick<Standing, "policy" | "notices" | "engine" | "pool">, end: () => Promise<void>) {
    this.policy = made.policy
    this.notices = made.notices
    this.engine = made.engine
    this.pool = made.pool
    this.ceilings = new DaemonCeilings(made.policy, [])
    this.hashes = { policy: policyHash(made.policy), ceilings: ceilingsHash(made.policy) }
    this.#end = end
  }

  /** Runs something that needs this policy to stay as it is until it is done. */
  async use<T>(work: (standing: this) => Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work(this)
    } finally {
      this.#users--
      if (this.#users === 0) this.#retired?.()
    }
  }

  /** Ends it once nobody uses it. */
  retire(): Promise<void> {
    this.#ended ??= new Promise<void>((resolve) => {
      this.#retired = resolve
      if (this.#users === 0) resolve()
    }).then(this.#end)
    return this.#ended
  }
}

/** Puts a policy into force. */
export async function standUp(
  { policy, notices }: Pick<Standing, "policy" | "notices">,
  { env, cwd }: World,
  listeners: Listeners,
): Promise<Standing> {
  let opening: Promise<Pool> | undefined
  let open: Pool | undefined
  const pool = (): Promise<Pool> => {
    opening ??= import("../mcp/pool.ts").then(({ Pool }) => {
      open = new Pool({ servers: policy.servers, cwd, env })
      return open
    })
    return opening
  }
  const engine = await createEngine({
    policy,
    env,
    cwd,
    call: async (server, tool, args, meta, signal) =>
      (await pool()).call(server, tool, args, { meta, signal: signal as AbortSignal | undefined }),
    fits: (server, tool, input) => open?.fits(server, tool, input),
    ...listeners,
  })
  return new Standing({ policy, notices, engine, pool }, async () => {
    await engine.close()
    await (await opening)?.close()
  })
}
