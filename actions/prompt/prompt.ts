import { createHash } from "node:crypto"
import type { JsonObject } from "../../effects/json.ts"
import type { Key } from "../../effects/keys.ts"
import type { Level } from "../../effects/levels.ts"
import type { ActionContext, ActionResult, ActionRunner } from "../../engine/ports.ts"
import { failed } from "../../frames/failures.ts"
import type { Usage } from "../../frames/frames.ts"
import { promptFiles } from "../../policy/file.ts"
import type { Action, Hook } from "../../policy/policy.ts"
import type { ModelOptions, ModelSettings } from "../../policy/prompt.ts"
import { wholePrompt } from "../../policy/prompt-source.ts"
import { rootsOf, STEPS } from "../../policy/roots.ts"
import { readReply } from "../../prompts/answer.ts"
import { ask } from "../../prompts/ask.ts"
import type { Take } from "../../prompts/cassettes.ts"
import { answerSchema, instruction, permittedKeys } from "../../prompts/output.ts"
import { costOf, priceOf } from "../../prompts/prices.ts"
import { Providers } from "../../prompts/providers/index.ts"
import { type CompiledPrompt, compilePrompt } from "../../prompts/render.ts"
import { type ModelRequest, type Reply, requestKey, type Target } from "../../prompts/request.ts"
import type { Tape } from "../../prompts/tape.ts"
import type { Environment } from "../run/environment.ts"
import type { Answers } from "./answers.ts"
import { Budgets, countsCost, countsTokens, type Spender } from "./budgets.ts"
import type { Ledger } from "./ledger.ts"
import { aimOf } from "./target.ts"
import { Turns } from "./turns.ts"

export interface PromptSetup {
  readonly model: ModelSettings
  readonly env: Environment
  /** where relative files of hooks without a file start */
  readonly cwd: string
  readonly answers: Answers
  readonly ledger: Ledger
  /** recordings: absent, models are asked and nothing is recorded */
  readonly tape?: Tape
}

type PromptAction = Extract<Action, { kind: "prompt" }>

interface Prepared {
  readonly prompt: CompiledPrompt
  readonly options: ModelOptions
}

/** Requests at once where nobody says. */
const CONCURRENCY = 8

export interface PromptRunner extends ActionRunner<"prompt"> {
  /** one turn of a model that answers in words: the output is `{text}`, and what it means is the asker's affair */
  turn(
    request: Pick<ModelRequest, "system" | "messages">,
    event: JsonObject,
    context: ActionContext,
  ): Promise<ActionResult>
}

/** Asks models. Every answer to a prompt is bounded twice: by the schema that the model is shown, and by the clamp. */
export function createPrompt(setup: PromptSetup): PromptRunner {
  const asker = new Asker(setup)
  return {
    run: (action, event, context) => asker.run(action, event, context),
    turn: (request, event, context) => asker.turn({ ...request, level: context.effective }, event, context),
  }
}

class Asker {
  readonly #setup: PromptSetup
  readonly #prepared = new WeakMap<PromptAction, Prepared | { readonly why: string }>()
  readonly #shapes = new Map<string, { readonly schema: JsonObject; readonly instruction: string; keys: Key[] }>()
  readonly #providers = new Providers()
  readonly #turns: Turns
  readonly #budgets: Budgets

  constructor(setup: PromptSetup) {
    this.#setup = setup
    this.#turns = new Turns(setup.model.concurrency ?? CONCURRENCY)
    this.#budgets = new Budgets(setup.ledger)
  }

  async run(action: PromptAction, event: JsonObject, context: ActionContext): Promise<ActionResult> {
    const prepared = this.#prepare(action, context)
    if ("why" in prepared) return { failed: failed("unavailable", { detail: prepared.why }) }
    const request = this.#request(prepared.prompt, event, context.hook.phase, context.effective)
    return this.#answer(request, prepared.options, event, context)
  }

  turn(request: ModelRequest, event: JsonObject, context: ActionContext): Promise<ActionResult> {
    return this.#answer(request, {}, event, context)
  }

  async #answer(
    request: ModelRequest,
    options: ModelOptions,
    event: JsonObject,
    context: ActionContext,
  ): Promise<ActionResult> {
    const { model, env, tape } = this.#setup
    const played = tape?.play(context.hook.id, request, options.model ?? model.name)
    if (played) return this.#played(played, request)
    const aim = aimOf(model, options, env)
    if ("missing" in aim) return { skipped: "no-model", warning: `${aim.missing}; no request is sent` }
    return this.#ask(request, aim.target, options, event, context)
  }

  #prepare(action: PromptAction, { hook }: ActionContext): Prepared | { readonly why: string } {
    const known = this.#prepared.get(action)
    if (known) return known
    const prepared = this.#read(action, hook)
    this.#prepared.set(action, prepared)
    return prepared
  }

  #read({ prompt }: PromptAction, { on, base, action }: Hook): Prepared | { readonly why: string } {
    try {
      const whole = wholePrompt(prompt, base ?? this.#setup.cwd, promptFiles)
      const [finding] = whole.file?.findings ?? []
      if (finding) return { why: `${finding.file}: ${finding.message}` }
      const roots = action.kind === "workflow" ? [...rootsOf(on), STEPS] : rootsOf(on)
      return { prompt: compilePrompt(whole, roots), options: whole.options }
    } catch (cause) {
      return { why: (cause as Error).message }
    }
  }

  #request(prompt: CompiledPrompt, event: JsonObject, phase: string, level: Level): ModelRequest {
    const name = `${phase} ${level}`
    let shape = this.#shapes.get(name)
    if (!shape) {
      const keys = permittedKeys(phase, level)
      shape = { keys, schema: answerSchema(phase, keys), instruction: instruction(phase, keys) }
      this.#shapes.set(name, shape)
    }
    const system = prompt.system(event)
    return {
      system: system === undefined ? shape.instruction : `${system}\n\n${shape.instruction}`,
      messages: prompt.messages(event, shape.keys),
      schema: shape.schema,
      level,
    }
  }

  #played(played: Exclude<ReturnType<Tape["play"]>, undefined>, request: ModelRequest): ActionResult {
    if ("missing" in played) return { failed: failed("unavailable", { detail: played.missing }) }
    const { take } = played
    const usage = this.#usage(take.provider, take.model, take)
    return { ...readReply(request, take), usage, notes: ["the answer is a recorded one"] }
  }

  async #ask(
    request: ModelRequest,
    target: Target,
    options: ModelOptions,
    event: JsonObject,
    context: ActionContext,
  ): Promise<ActionResult> {
    const { answers, model, tape } = this.#setup
    // Whoever records, or asks anew to compare, wants what the model says now.
    const cacheMs = tape ? 0 : (options.cacheMs ?? model.cacheMs ?? 0)
    const cacheKey = cacheMs > 0 ? answerKey(request, target, context.hook.id) : ""
    const cached = cacheMs > 0 ? answers.find(cacheKey, cacheMs) : undefined
    if (cached) {
      const usage: Usage = { ...this.#usage(target.provider, target.model, NOTHING_USED), cached: true }
      return { ...readReply(request, cached), usage }
    }
    const spender = spenderOf(event, context, options, model)
    const began = performance.now()
    const asked = await this.#send(request, target, spender, context)
    if ("failed" in asked) return { failed: asked.failed, ...notesOf(target) }
    const { reply } = asked
    const usage = this.#usage(target.provider, target.model, reply)
    const tokens = reply.inputTokens + reply.outputTokens
    this.#budgets.use(spender, { tokens, cost: usage.cost ?? 0 })
    const notes = tokens === 0 && countsTokens(spender) ? [UNCOUNTED] : []
    const take = { provider: target.provider, model: target.model, ...reply }
    const durationMs = Math.round(performance.now() - began)
    notes.push(...this.#record(context.hook.id, request, { ...take, durationMs }, target.key))
    const answer = readReply(request, reply)
    // An answer that says nothing is no answer to give again.
    if (cacheMs > 0 && "output" in answer) answers.keep(cacheKey, reply)
    return { ...answer, usage, ...notesOf(target, notes) }
  }

  /** What there is to say where an answer cannot be recorded: it counts all the same. */
  #record(hook: string, request: ModelRequest, take: Take, key: string): string[] {
    try {
      this.#setup.tape?.record(hook, request, take, [key])
      return []
    } catch (cause) {
      return [`the answer could not be recorded (${(cause as NodeJS.ErrnoException).code ?? "unknown"})`]
    }
  }

  #refusal(spender: Spender, target: Target): string | undefined {
    if (!spender.own && !spender.all) return undefined
    if (countsCost(spender) && !priceOf(target.model, this.#setup.model.prices)) {
      return `the price of \`${target.model}\` is not known (\`model.prices\`)`
    }
    return this.#budgets.take(spender)
  }

  async #send(request: ModelRequest, target: Target, spender: Spender, { timeoutMs, signal: given }: ActionContext) {
    const end = performance.now() + timeoutMs
    const signal = given as AbortSignal
    const leave = await this.#turns.take(signal)
    if (!leave) return { failed: failed("timeout") }
    try {
      const refusal = this.#refusal(spender, target)
      if (refusal !== undefined) return { failed: failed("budget", { detail: refusal }) }
      const provider = await this.#providers.get(target.provider)
      return await ask(provider, request, target, { timeoutMs: end - performance.now(), signal })
    } finally {
      leave()
    }
  }

  #usage(provider: string, model: string, { inputTokens, outputTokens }: typeof NOTHING_USED): Usage {
    const price = priceOf(model, this.#setup.model.prices)
    const cost = price && { cost: costOf(price, inputTokens, outputTokens) }
    return { provider, model, inputTokens, outputTokens, ...cost }
  }
}

const NOTHING_USED: Pick<Reply, "inputTokens" | "outputTokens"> = Object.freeze({ inputTokens: 0, outputTokens: 0 })

function spenderOf(
  event: JsonObject,
  { hook, operation }: ActionContext,
  options: ModelOptions,
  { budget }: ModelSettings,
): Spender {
  const { id } = event.caller as { readonly id?: unknown }
  return { caller: String(id), hook: hook.id, run: operation, own: options.budget, all: budget }
}

/** What was asked for and is not there at this provider, and what else there is to say. */
function notesOf({ provider, seed }: Target, more: readonly string[] = []): { notes?: readonly string[] } {
  const unused = provider === "anthropic" && seed !== undefined ? ["`seed` has no effect: anthropic takes none"] : []
  return unused.length + more.length > 0 ? { notes: [...unused, ...more] } : {}
}

const UNCOUNTED = "the provider told no tokens, so the budget does not count any: limit `calls` instead"

/** What an answer may be given again for: the request, the hook, and who was asked, and how. */
const answerKey = (request: ModelRequest, { key: _, ...target }: Target, hook: string): string =>
  createHash("sha256")
    .update(JSON.stringify([requestKey(request), hook, target]))
    .digest("hex")
