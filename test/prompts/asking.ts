import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, vi } from "vitest"
import { createEngine, type NodeEngineOptions } from "../../actions/engine.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import type { FireOptions } from "../../engine/given.ts"
import type { HookFrame, Verdict } from "../../frames/frames.ts"
import { promptFiles } from "../../policy/file.ts"
import { parsePolicy } from "../../policy/parse.ts"
import type { Phase } from "../../policy/phases.ts"
import type { Policy } from "../../policy/policy.ts"
import type { ModelSettings } from "../../policy/prompt.ts"
import { type Behaviour, ModelServer, type Received } from "./model-server.ts"

/** Stands in the variable `MODEL_KEY`, and should stand nowhere else. */
export const KEY = "the-key-of-these-tests-0123456789"

/** Whose protocol is spoken, and whether the answer comes in pieces. */
export interface Way {
  readonly provider: "openai" | "anthropic"
  readonly stream: boolean
}

export const PROVIDERS = ["openai", "anthropic"] as const

/** Every way in which an answer comes, with a name for the test's title. */
export const WAYS: readonly (Way & { readonly name: string })[] = PROVIDERS.flatMap((provider) =>
  [false, true].map((stream) => ({ name: `${provider}, ${stream ? "streamed" : "whole"}`, provider, stream })),
)

/** An answer in words: with anthropic, in place of the tool. */
export const said = ({ provider }: Way, text: string): Behaviour =>
  provider === "openai" ? { text } : { text: null, words: text, stop: "end_turn" }

/** An answer as it is asked for: with anthropic, the input of the tool. */
export const answered = (output: JsonObject): Behaviour => ({ text: JSON.stringify(output) })

/** The reason that each provider gives for an answer that reached the limit of tokens. */
export const CUT_OFF = { openai: "length", anthropic: "max_tokens" } as const

export interface Ask {
  readonly hook?: JsonObject
  readonly hooks?: readonly JsonObject[]
  readonly model?: ModelSettings
  readonly policy?: JsonObject
  readonly event?: JsonObject
  readonly phase?: Phase
  readonly fire?: FireOptions
  readonly engine?: Partial<NodeEngineOptions>
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface Asked {
  readonly verdict: Verdict
  readonly frame: HookFrame
  readonly requests: readonly Received[]
  /** milliseconds */
  readonly took: number
  /** all that went to the console or to a standard stream meanwhile */
  readonly printed: string
}

/** The event that is asked about where a test does not say. */
export const EVENT: JsonObject = { server: "fs", tool: "write_file", args: { path: "a.txt" } }

/** A hook at `call` before that may refuse, and that asks about its arguments. */
export const HOOK: JsonObject = { id: "judge", on: "call", phase: "before", effect: "ask", prompt: "Judge @args" }

export const policyOf = (content: JsonObject): Policy =>
  parsePolicy(JSON.stringify({ version: 1, ...content }), { promptFiles })

/** A model's server, folders for what is kept, and engines that ask there; all of it gone after the file's tests. */
export function world() {
  let server: ModelServer
  let home: string
  const engines: Engine[] = []
  beforeAll(async () => {
    server = await ModelServer.start()
    home = mkdtempSync(join(tmpdir(), "detent-prompts-"))
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
    await server.close()
    rmSync(home, { recursive: true, force: true })
  })

  const environment = () => ({
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    MODEL_KEY: KEY,
  })

  const modelOf = ({ provider, stream }: Way): ModelSettings => ({
    provider,
    stream,
    name: "m",
    baseUrl: server.baseUrl(provider),
    apiKeyEnv: "MODEL_KEY",
  })

  async function engineOf(way: Way, ask: Ask = {}): Promise<Engine> {
    const { hook = {}, hooks = [{ ...HOOK, ...hook }], model = {}, policy = {}, env = {} } = ask
    const engine = await createEngine({
      policy: policyOf({ model: { ...modelOf(way), ...model }, ...policy, hooks }),
      env: { ...environment(), ...env },
      ...ask.engine,
    })
    engines.push(engine)
    return engine
  }

  async function fire(engine: Engine, { phase = "before", event = EVENT, fire: more }: Ask = {}): Promise<Asked> {
    const { printed, done } = listen()
    const before = server.received.length
    const began = performance.now()
    const verdict = await engine.fire("call", phase, event, more)
    const took = performance.now() - began
    done()
    const frame = hookFrames(verdict)[0]!
    return { verdict, frame, requests: server.received.slice(before), took, printed: printed.join("") }
  }

  return {
    get server() {
      return server
    },
    get home() {
      return home
    },
    environment,
    modelOf,
    engineOf,
    fire,
    /** Asks once, with an engine of its own, a server that behaves so. */
    async ask(way: Way, behaviours: Behaviour | readonly Behaviour[], ask: Ask = {}): Promise<Asked> {
      server.answer(...[behaviours].flat())
      return fire(await engineOf(way, ask), ask)
    },
  }
}

export const hookFrames = (verdict: Verdict): HookFrame[] =>
  verdict.frames.filter((frame): frame is HookFrame => frame.type === "hook")

/** Hears all that is printed. */
function listen() {
  const printed: string[] = []
  const hear = (...said: unknown[]) => {
    printed.push(said.join(" "))
    return true
  }
  const spies = [
    ...(["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name)),
    vi.spyOn(process.stdout, "write"),
    vi.spyOn(process.stderr, "write"),
  ]
  for (const spy of spies) (spy as { mockImplementation(fn: typeof hear): unknown }).mockImplementation(hear)
  return { printed, done: () => spies.forEach((spy) => void spy.mockRestore()) }
}

/** Waits until something holds; a test's own limit ends it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
