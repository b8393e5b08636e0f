import { copyJson } from "../../effects/json.ts"
import type { Level } from "../../effects/levels.ts"
import type { Engine } from "../../engine/engine.ts"
import type { ActionRunners, Ports } from "../../engine/ports.ts"
import type { HookFrame } from "../../frames/frames.ts"
import type { Phase } from "../../policy/phases.ts"
import type { Hook, Policy } from "../../policy/policy.ts"
import type { ModelSettings } from "../../policy/prompt.ts"
import { Cassettes, type Take } from "../../prompts/cassettes.ts"
import type { CassetteOptions } from "../../prompts/tape.ts"
import { saidOf } from "./classes.ts"
import { type Judged, type Score, score } from "./score.ts"
import { type EvalSet, type Labelled, promptHooks } from "./set.ts"

/** What an evaluation asks of an engine. */
export interface EvalEngineOptions {
  readonly policy: Policy
  readonly settings: { readonly "autonomy.max"?: Level; readonly "hooks.autonomy"?: Level }
  readonly cassettes?: CassetteOptions
  /** no server is started: what comes with one counts as if it were */
  readonly down: NonNullable<Ports["down"]>
  /** stands between the hooks and the real actions */
  readonly actions?: (real: ActionRunners) => ActionRunners
}

/** Makes an engine with the real actions: these stand beside this ring and not below it. */
export type MakeEngine = (options: EvalEngineOptions) => Promise<Engine>

/** One of the two that are held against each other: a policy's prompts, asked of a model. */
export interface Side {
  /** how the side is called in what is shown */
  readonly name: string
  readonly policy: Policy
  /** takes the place of what the policy says */
  readonly model: ModelSettings
}

export interface EvalOptions {
  readonly createEngine: MakeEngine
  readonly settings: EvalEngineOptions["settings"]
  /** `replay`: recordings alone; `live`: models; `record`: models, and their answers are kept */
  readonly mode: "replay" | "live" | "record"
  /** how often each event is judged */
  readonly samples: number
}

/** What one hook of one side came to. */
export interface HookResult {
  readonly side: string
  readonly hook: string
  readonly score: Score
  readonly judged: readonly Judged[]
}

/** A recording that is not there, or does not play. */
export interface Missing {
  readonly hook: string
  readonly event: string
  readonly why: string
}

export interface EvalResult {
  readonly file: string
  readonly hooks: readonly HookResult[]
  readonly missing: readonly Missing[]
}

/** Events of one hook that are judged at once. */
const AT_ONCE = 4

/** Judges every event of a set with each of its hooks, on each side. */
export async function runEval(set: EvalSet, sides: readonly Side[], options: EvalOptions): Promise<EvalResult> {
  const hooks: HookResult[] = []
  const missing: Missing[] = []
  const cassettes = new Cassettes(set.cassettes)
  for (const { id } of set.hooks) {
    for (const side of sides) {
      const hook = promptHooks(side.policy).find((one) => one.id === id)
      if (!hook) continue
      const judge = new Judge(set, side, hook, cassettes, options, missing)
      const judged = await judge.all()
      hooks.push({ side: side.name, hook: id, score: score(judged), judged })
    }
  }
  return { file: set.file, hooks, missing }
}

/** One hook of one side. */
class Judge {
  readonly #set: EvalSet
  readonly #side: Side
  readonly #hook: Hook
  readonly #cassettes: Cassettes
  readonly #options: EvalOptions
  readonly #missing: Missing[]

  constructor(set: EvalSet, side: Side, hook: Hook, cassettes: Cassettes, options: EvalOptions, missing: Missing[]) {
    this.#set = set
    this.#side = side
    this.#hook = hook
    this.#cassettes = cassettes
    this.#options = options
    this.#missing = missing
  }

  async all(): Promise<Judged[]> {
    const judged: Judged[] = []
    const { events } = this.#set
    for (let at = 0; at < events.length; at += AT_ONCE) {
      judged.push(...(await Promise.all(events.slice(at, at + AT_ONCE).map((event) => this.#judge(event)))))
    }
    return judged
  }

  async #judge(labelled: Labelled): Promise<Judged> {
    const asked = []
    for (let sample = 0; sample < this.#options.samples; sample++) asked.push(await this.#ask(labelled, sample))
    const usages = asked.flatMap(({ frame }) => (frame?.usage ? [frame.usage] : []))
    const costs = usages.map(({ cost }) => cost)
    return {
      name: labelled.name,
      expected: labelled.expected(this.#hook.id),
      said: asked.map(({ frame }) => saidOf(frame)),
      latencyMs: asked.flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs])),
      inputTokens: usages.reduce((all, { inputTokens }) => all + inputTokens, 0),
      outputTokens: usages.reduce((all, { outputTokens }) => all + outputTokens, 0),
      ...(costs.every((cost) => cost !== undefined) ? { cost: costs.reduce((all, cost) => all + cost, 0) } : {}),
    }
  }

  /** Fires the one hook on the event, under the ceilings in force: what is judged is the clamped verdict. */
  async #ask({ name, event, caller }: Labelled, sample: number): Promise<{ frame?: HookFrame; latencyMs?: number }> {
    const { policy, model } = this.#side
    const { mode, settings, createEngine } = this.#options
    let played: Take | undefined
    const cassettes: CassetteOptions | undefined =
      mode === "live"
        ? undefined
        : {
            folder: this.#cassettes,
            mode,
            sample,
            ...(model.name === undefined ? {} : { model: model.name }),
            onMissing: (hook, why) => this.#missing.push({ hook, event: name, why }),
            onPlayed: (take) => {
              played = take
            },
          }
    const engine = await createEngine({
      policy: { ...policy, hooks: [this.#hook], model: { ...policy.model, ...model, cacheMs: 0 } },
      settings,
      down: async () => undefined,
      ...(cassettes ? { cassettes } : {}),
    })
    try {
      const { on, phase, ...rest } = copyJson(event)
      const verdict = await engine.fire(String(on), phase as Phase, rest, caller ? { caller } : {})
      const frame = verdict.frames.find((one): one is HookFrame => one.type === "hook")
      if (!frame) return {}
      return { frame, ...(frame.usage ? { latencyMs: played?.durationMs ?? Math.round(frame.durationMs) } : {}) }
    } finally {
      await engine.close()
    }
  }
}
