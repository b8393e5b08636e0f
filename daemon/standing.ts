import { createEngine, type NodeEngineOptions } from "../actions/engine.ts"
import type { JsonObject } from "../effects/json.ts"
import { DaemonCeilings } from "../engine/daemon.ts"
import type { Engine } from "../engine/engine.ts"
import type { Happening } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { Peer } from "../mcp/peer.ts"
import { type Servers, serversOf } from "../mcp/servers.ts"
import type { Policy } from "../policy/policy.ts"
import type { Reported } from "../settings/report/report.ts"
import { ceilingsHash, policyHash } from "../store/binding.ts"
import { Doors } from "./doors.ts"
import type { World } from "./world.ts"

/** What an engine of the daemon tells besides its verdicts. */
export interface Listeners {
  readonly publish: (happening: Happening) => void
  readonly onObserved: (frame: Frame) => void
  readonly seq: () => number
  /** what an operator should know of servers and of their clients */
  readonly told: (text: string) => void
  /** what a server says outside of any answer */
  readonly server: (name: string) => NonNullable<Peer["notified"]>
}

/** A policy in force, with all that was made of it. It ends when another has taken its place and nobody uses it any more. */
export class Standing {
  readonly policy: Policy
  readonly notices: readonly string[]
  /** what the policy is made of, lowest first */
  readonly layers: Reported["layers"]
  readonly engine: Engine
  /** the daemon's part of the clamp, for what has to be told of it before any hook runs */
  readonly ceilings: DaemonCeilings
  /** what answers of people are bound to, and what the record names */
  readonly hashes: { readonly policy: string; readonly ceilings: string }
  readonly servers: Servers
  /** those who speak MCP to these servers through the daemon */
  readonly doors: Doors
  /** what its engine was made of, for another one like it */
  readonly making: Omit<NodeEngineOptions, "policy">
  #users = 0
  #handedOn = false
  #ended: Promise<void> | undefined
  #retired: (() => void) | undefined

  constructor(made: Pick<Standing, "policy" | "notices" | "layers" | "engine" | "servers" | "doors" | "making">) {
    this.policy = made.policy
    this.notices = made.notices
    this.layers = made.layers
    this.engine = made.engine
    this.servers = made.servers
    this.doors = made.doors
    this.making = made.making
    this.ceilings = new DaemonCeilings(made.policy, [])
    this.hashes = { policy: policyHash(made.policy), ceilings: ceilingsHash(made.policy) }
  }

  /** Whether a policy names the very same servers. */
  hasServersOf({ servers }: Policy): boolean {
    return JSON.stringify(servers) === JSON.stringify(this.policy.servers)
  }

  /** From here on its servers are another's, which ends them. */
  handOn(): void {
    this.#handedOn = true
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

  /** The tool that an event is about, for what answers are bound to. */
  definition(event: JsonObject): Promise<unknown> {
    return toolOf(this.policy, this.servers)(event)
  }

  /** Ends it once nobody uses it. */
  retire(): Promise<void> {
    this.#ended ??= new Promise<void>((resolve) => {
      this.#retired = resolve
      if (this.#users === 0) resolve()
    }).then(async () => {
      await this.engine.close()
      if (this.#handedOn) return
      await this.doors.close()
      await this.servers.close()
    })
    return this.#ended
  }
}

/** A tool as its server lists it, where the policy has the server; else what the event itself says of it. */
export const toolOf =
  (policy: Policy, servers: Servers) =>
  async ({ on, server, tool, annotations }: JsonObject): Promise<unknown> => {
    const known = on === "call" && Object.hasOwn(policy.servers, String(server))
    if (!known) return annotations
    const pool = await servers.pool()
    return pool.tool(String(server), String(tool)).catch(() => annotations)
  }

/** Makes all that a policy in force needs; the servers that were there before go on as they are, where they are the same. */
export async function standUp(
  { policy, notices, layers }: Pick<Standing, "policy" | "notices" | "layers">,
  { env, cwd }: World,
  { server, told, ...listeners }: Listeners,
  before?: Standing,
): Promise<Standing> {
  const heir = before?.hasServersOf(policy) ? before : undefined
  const doors = heir?.doors ?? new Doors(told)
  const peer = (name: string) => doors.peer(name, server(name))
  const onStarted = (): void => doors.changed()
  const servers = heir?.servers ?? serversOf(policy, { env, cwd }, { peer, onStarted })
  const making = { env, cwd, ...servers.ports, ...listeners }
  const engine = await createEngine({ ...making, policy })
  servers.standUnder(engine)
  servers.eager(policy, told)
  heir?.handOn()
  return new Standing({ policy, notices, layers, engine, servers, doors, making })
}
