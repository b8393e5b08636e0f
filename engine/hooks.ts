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
  readonly #slots = new Map<string, Slot>()

  constructor(hooks: readonly Hook[]) {
    hooks.forEach((hook, order) => {
      const key = hook.phase === "observe" ? "observe" : `${hook.on} ${hook.phase}`
      let slot = this.#slots.get(key)
      if (!slot) {
        slot = new Slot()
        this.#slots.set(key, slot)
      }
      slot.add(hook, order)
    })
  }

  /** The hooks of one moment whose names fit, in declared order. */
  concerning(
    on: string,
    phase: Exclude<Phase, "observe">,
    server: string | undefined,
    tool: string | undefined,
    kind: string | undefined,
  ): Concerned {
    return this.#slots.get(`${on} ${phase}`)?.concerning(server, tool, kind) ?? NOBODY
  }

  /** All `observe` hooks, in declared order. */
  get observers(): readonly CompiledHook[] {
    return this.#slots.get("observe")?.all() ?? NONE
  }
}

/** The hooks whose names fit an event, in declared order, and beside them what each asks of the event itself. */
export interface Concerned {
  readonly hooks: readonly CompiledHook[]
  readonly tests: readonly Test[]
}

const NOBODY: Concerned = Object.freeze({ hooks: [], tests: [] })
const NONE: readonly CompiledHook[] = Object.freeze([])

/** A declared hook, compiled when an event first has its names. */
interface Declared {
  readonly hook: Hook
  readonly order: number
  compiled?: CompiledHook
}

const compiled = (declared: Declared): CompiledHook =>
  (declared.compiled ??= new CompiledHook(declared.hook, declared.order))

class Slot {
  readonly #byTool = new Map<string, Declared[]>()
  readonly #byServer = new Map<string, Declared[]>()
  readonly #rest: Declared[] = []
  readonly #every: Declared[] = []
  readonly #known = new Map<string, Concerned>()

  add(hook: Hook, order: number): void {
    const declared = { hook, order }
    this.#every.push(declared)
    const { tool, server } = hook.when ?? {}
    const tools = tool === undefined ? undefined : toolMatcher(tool).exact
    const servers = tools || server === undefined ? undefined : compileMatcher(server).exact
    if (tools) for (const name of new Set(tools)) push(this.#byTool, name, declared)
    else if (servers) for (const name of new Set(servers)) push(this.#byServer, name, declared)
    else this.#rest.push(declared)
  }

  concerning(server: string | undefined, tool: string | undefined, kind: string | undefined): Concerned {
    const key = `${server}\n${tool}\n${kind}`
    const known = this.#known.get(key)
    if (known) return known
    const hooks = this.#find(server ?? "", tool ?? "")
      .map(compiled)
      .filter((hook) => hook.concerns(server, tool, kind))
      .sort((a, b) => a.order - b.order)
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    const found = { hooks, tests: hooks.map((hook) => hook.test) }
    this.#known.set(key, found)
    return found
  }

  all(): readonly CompiledHook[] {
    return this.#every.map(compiled)
  }

  #find(server: string, tool: string): Declared[] {
    const names = [tool, `${server}/${tool}`, `mcp__${server}__${tool}`]
    const found = new Set(this.#rest)
    for (const name of names) for (const declared of this.#byTool.get(name) ?? []) found.add(declared)
    for (const declared of this.#byServer.get(server) ?? []) found.add(declared)
    return [...found]
  }
}

const push = (map: Map<string, Declared[]>, name: string, declared: Declared) => {
  const list = map.get(name)
  if (list) list.push(declared)
  else map.set(name, [declared])
}
