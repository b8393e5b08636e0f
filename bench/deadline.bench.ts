/** How many timers and AbortControllers the deadlines of 1000 hooks make. */
import { nodePorts } from "../actions/ports.ts"
import { createEngine } from "../engine/engine.ts"
import { hostHooks } from "../policy/host.ts"
import type { Hook } from "../policy/policy.ts"
import { NOTHING } from "../settings/nothing.ts"

const HOOKS = 1000

/** Counts what is made while something runs. */
async function count(run: () => Promise<unknown>): Promise<{ timers: number; controllers: number }> {
  const made = { timers: 0, controllers: 0 }
  const { setTimeout: timer, AbortController: Controller } = globalThis
  globalThis.setTimeout = ((...given: Parameters<typeof timer>) => {
    made.timers++
    return timer(...given)
  }) as typeof timer
  globalThis.AbortController = class extends Controller {
    constructor() {
      super()
      made.controllers++
    }
  }
  try {
    await run()
  } finally {
    Object.assign(globalThis, { setTimeout: timer, AbortController: Controller })
  }
  return made
}

interface Given {
  readonly signal: unknown
}

/** Hooks that wait for something, side by side: each of them has a deadline that somebody has to watch. */
const waiting = (look: (given: Given) => unknown): readonly Hook[] =>
  hostHooks(
    Array.from({ length: HOOKS }, (_, index) => ({
      on: "call",
      phase: "before",
      timeoutMs: 1000 + index,
      async fn(_event: unknown, given: Given) {
        look(given)
        await new Promise(setImmediate)
        return { advise: "looked" }
      },
    })),
  )

const event = { server: "fs", tool: "write_file", args: {} }
const lines = []
for (const [title, look] of Object.entries({
  "host functions": () => undefined,
  "host functions that read their signal": ({ signal }: Given) => signal,
})) {
  const engine = createEngine({ policy: NOTHING, hooks: waiting(look), ports: { ...nodePorts, actions: {} } })
  const { timers, controllers } = await count(async () => {
    const { advice } = await engine.fire("call", "before", event)
    if (advice.length !== HOOKS) throw new Error(`${advice.length} hooks of ${HOOKS} answered`)
  })
  lines.push(`| ${HOOKS} ${title} | ${timers} | ${controllers} |`)
}
console.log(
  [
    "\n### what the deadlines of one event make\n",
    "| case | timers | AbortControllers |",
    "|---|---|---|",
    ...lines,
  ].join("\n"),
)
