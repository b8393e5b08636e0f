import { compileMatcher, toolMatcher } from "../policy/match/matcher.ts"
import type { Phase } from "../policy/phases.ts"
import type { Hook } from "../policy/policy.ts"
import { CompiledHook, type Test } from "./compile.ts"

/** How many (server, tool, kind) triples a slot remembers: names come from servers that nobody vouches for. */
const REMEMBERED = 1024

/**
 * The hooks in force, indexed by point and phase and, within these, by exact tool name: finding those that concern an
 * event costs what they cost, not what the policy's size costs.
 */
export class HookTable {
  readonly #slots = new Map<string, Map<Phase, Slot>>()
  readonly #observers: CompiledHook[] = []

  constructor(hooks: readonly Hook[]) {
    hooks.forEach((hook, order) => {
      if (hook.phase === "observe") this.#observers.push(new CompiledHook(hook, order))
      else this.#slot(hook.on, hook.phase).add(hook, order)
    })
  }

  #slot(on: string, phase: Phase): Slot {
    const phases = madeIn(this.#slots, on, () => new Map<Phase, Slot>())
    return madeIn(phases, phase, () => new Slot())
  }

  /** The hooks of one moment whose names fit, in declared order. */
  concerning(
    on: string,
    phase: Exclude<Phase, "observe">,
    server: string | undefined,
    tool: string | undefined,
    kind: string | undefined,
  ): Concerned {
    return this.#slots.get(on)?.get(phase)?.concerning(server, tool, kind) ?? NOBODY
  }

  /** Whether any hook is on a moment at all, whatever its names. */
  any(on: string, phase: Exclude<Phase, "observe">): boolean {
    return this.#slots.get(on)?.has(phase) ?? false
  }

  /** All `observe` hooks, in declared order. */
  get observers(): readonly CompiledHook[] {
    return this.#observers
  }
}

/** The hooks whose names fit an event, in declared order, and beside them what each asks of the event itself. */
export interface Concerned {
  readonly hooks: readonly CompiledHook[]
  readonly tests: readonly Test[]
}

const NOBODY: Concerned = Object.freeze({ hooks: [], tests: [] })

/** A declared hook, compiled when an event first has its names. */
interface Declared {
  readonly hook: Hook
  readonly order: number
  compiled?: CompiledHook
}

const compiled = (declared: Declared): CompiledHook =>
  (declared.compiled ??= new CompiledHook(declared.hook, declared.order))

const list = (): Declared[] => []

class Slot {
  readonly #byTool = new Map<string, Declared[]>()
  readonly #byServer = new Map<string, Declared[]>()
  readonly #rest: Declared[] = []
  readonly #known = new Map<string | undefined, Map<string | undefined, Map<string | undefined, Concerned>>>()
  #remembered = 0

  add(hook: Hook, order: number): void {
    const declared = { hook, order }
    const { tool, server } = hook.when ?? {}
    const tools = tool === undefined ? undefined : toolMatcher(tool).exact
    const servers = tools || server === undefined ? undefined : compileMatcher(server).exact
    if (tools) for (const name of new Set(tools)) madeIn(this.#byTool, name, list).push(declared)
    else if (servers) for (const name of new Set(servers)) madeIn(this.#byServer, name, list).push(declared)
    else this.#rest.push(declared)
  }

  // Three maps and not one with a joined key: joining and hashing the names would cost more than all the rest.
  concerning(server: string | undefined, tool: string | undefined, kind: string | undefined): Concerned {
    const known = this.#known.get(tool)?.get(server)?.get(kind)
    if (known) return known
    const hooks = this.#find(server ?? "", tool ?? "")
      .map(compiled)
      .filter((hook) => hook.concerns(server, tool, kind))
      .sort((a, b) => a.order - b.order)
    const found = { hooks, tests: hooks.map((hook) => hook.test) }
    this.#remember(server, tool, kind, found)
    return found
  }

  #remember(server: string | undefined, tool: string | undefined, kind: string | undefined, found: Concerned): void {
    if (++this.#remembered > REMEMBERED) {
      this.#known.clear()
      this.#remembered = 1
    }
    const servers = madeIn(this.#known, tool, () => new Map<string | undefined, Map<string | undefined, Concerned>>())
    madeIn(servers, server, () => new Map<string | undefined, Concerned>()).set(kind, found)
  }

  #find(server: string, tool: string): Declared[] {
    const names = [tool, `${server}/${tool}`, `mcp__${server}__${tool}`]
    const found = new Set(this.#rest)
    for (const name of names) for (const declared of this.#byTool.get(name) ?? []) found.add(declared)
    for (const declared of this.#byServer.get(server) ?? []) found.add(declared)
    return [...found]
  }
}

/** What a map holds under a key, made where there is nothing yet. */
function madeIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
