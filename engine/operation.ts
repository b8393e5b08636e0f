import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Frame } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import type { CompiledHook } from "./compile.ts"
import type { DaemonCeilings, Stop } from "./daemon.ts"
import type { DeadlineWheel } from "./deadlines.ts"
import type { HostLevels } from "./given.ts"
import type { HookTable } from "./hooks.ts"
import type { Ports } from "./ports.ts"

/** How many retries one operation gets, whoever asks. */
export const MAX_RETRIES = 3

/** How deep calls made by hooks may nest. */
export const MAX_DEPTH = 4

/** The annotations of a tool that the operator says in place of its server's. */
export type Overrides = (server: string, tool: string) => JsonObject | undefined

/** What an engine is made of, shared by all its operations. */
export interface Core {
  readonly ports: Ports
  readonly hooks: HookTable
  readonly daemon: DaemonCeilings
  readonly wheel: DeadlineWheel
  /** what the operator says of tools, where destructive calls are asked about before they are sent; else undefined */
  readonly consent: Overrides | undefined
  /** whether anybody listens: without, no happening is even made */
  readonly listened: boolean
  publish(op: Operation, type: string, about: JsonObject): void
  /** a tool call made by a hook, through the gate */
  nested(op: Operation, by: CompiledHook, server: string, tool: string, args: JsonObject): Promise<unknown>
}

/** The host's part of the clamp. */
export interface HostStop {
  readonly source: Stop["source"]
  /** for all phases alike, or for each that the host fires */
  readonly level: Level | HostLevels
}

/** What the host carries in a phase: what follows a refusal, it is told with the refusal. */
export const hostLevel = ({ hostStop: { level }, refused }: Operation, phase: Phase): Level =>
  typeof level === "string" ? level : (level[refused ? "before" : phase] ?? "off")

/** One operation under way: what its moments share. */
export interface Operation {
  readonly on: string
  readonly caller: JsonObject
  readonly callerStop: Stop
  readonly hostStop: HostStop
  /** INVARIANT: only ever lowered, by every version of the event (fixtures/cases, a rewrite cannot raise it). */
  daemonStop: Stop
  readonly signal: AbortSignalLike | undefined
  /** the hooks that caused this operation, outermost first */
  readonly stack: readonly CompiledHook[]
  readonly frames: Frame[]
  /** puts questions to a person; undefined: nobody can be asked here */
  readonly ask: Ports["ask"] | undefined
  readonly onFrame: ((frame: Frame) => void) | undefined
  /** on the engine's clock; absent: none */
  readonly deadline: number | undefined
  /** the hooks that have had their retry */
  readonly retried: CompiledHook[]
  /** whether it has been refused: nothing is sent, nothing is retried */
  refused: boolean
  /** stands for the operation with all that it causes */
  readonly root: object
  /** caused by an observer: what happens in it is told to nobody */
  readonly quiet: boolean
}

export const tell = (op: Operation, frame: Frame): void => {
  op.frames.push(frame)
  op.onFrame?.(frame)
}
