import type { JsonObject } from "../effects/json.ts"
import type { OpenQuestion, Ports } from "../engine/ports.ts"
import type { Answer } from "../frames/frames.ts"
import type { HappeningType } from "../policy/happenings.ts"
import { settingOf } from "../policy/said.ts"
import { bindingOf } from "../store/binding.ts"
import type { Answerer, Approval, ApprovalStore } from "../store/ports.ts"
import type { Standing as InForce } from "./standing.ts"

/** The policy that a question is asked under. */
type Standing = Pick<InForce, "policy" | "hashes" | "definition">

/** What is published of a question. */
export type PublishApproval = (type: HappeningType, about: JsonObject) => void

/** Questions of hooks that are put to people: durable, bound to exactly what was asked, and answered once. */
export class Approvals {
  readonly store: ApprovalStore
  readonly #publish: PublishApproval

  constructor(store: ApprovalStore, publish: PublishApproval) {
    this.store = store
    this.#publish = publish
  }

  /**
   * For a moment that nobody waits in: takes the answer that the same moment got before, or leaves the question open.
   * `named` is told the approval that it came to.
   */
  later(standing: Standing, named: (id: string) => void) {
    return async (open: OpenQuestion): Promise<readonly Answer[] | "open"> => {
      const { caller, binding } = await bound(standing, open)
      const known = (await this.store.list({ caller })).filter((approval) => approval.binding === binding)
      for (const { id } of known.filter(({ state }) => state === "answered")) {
        const answers = await this.#redeem(id, caller, binding)
        if (!answers) continue
        named(id)
        return answers
      }
      const waiting = known.find(({ state }) => state === "open")
      named((waiting ?? (await this.#open(standing, open, { caller, binding }))).id)
      return "open"
    }
  }

  /**
   * For an operation that somebody waits in: waits until a person has answered, or the time is up.
   *
   * @param elicit puts the questions to the person at the client as well: whoever answers first has answered
   */
  waiting(standing: Standing, named: (id: string) => void, elicit?: NonNullable<Ports["ask"]>) {
    return async (open: OpenQuestion): Promise<readonly Answer[]> => {
      const { caller, binding } = await bound(standing, open)
      const { id } = await this.#open(standing, open, { caller, binding })
      named(id)
      if (elicit) void this.#elicit(id, caller, () => elicit(open))
      const settled = await this.store.settled(id, open.signal)
      if (settled?.state === "answered") return (await this.#redeem(id, caller, binding)) ?? []
      if (settled?.state === "open" && (await this.store.withdraw(id)))
        this.#publish("approval.withdrawn", { approval: id })
      if (settled?.state === "expired") this.#publish("approval.expired", { approval: id })
      return []
    }
  }

  /** The person at a client is known by nothing but the client's word; a form that is closed is no answer. */
  async #elicit(id: string, caller: string, ask: () => Promise<readonly Answer[] | "open">): Promise<void> {
    const answers = await ask().catch(() => "open" as const)
    const by: Answerer = { id: `the person at ${caller}`, known: "self-reported" }
    const answered = answers !== "open" && (await this.store.answer(id, answers, by)).ok
    if (answered) this.answered(id, answers, by)
    else if (await this.store.withdraw(id)) this.#publish("approval.withdrawn", { approval: id })
  }

  /** Tells that a person has answered. */
  answered(approval: string, answers: readonly Answer[], answeredBy: Answerer): void {
    this.#publish("approval.answered", { approval, answers, answeredBy })
  }

  async #open(
    { policy }: Standing,
    { approval, questions, event }: OpenQuestion,
    { caller, binding }: { readonly caller: string; readonly binding: string },
  ): Promise<Approval> {
    const longest = settingOf(policy, "approvals.timeoutMs")
    const timeouts = questions.flatMap(({ timeoutMs }) => timeoutMs ?? [])
    const expiresAt = new Date(Date.now() + Math.min(longest, ...timeouts)).toISOString()
    const opened = await this.store.open({ id: approval, caller, binding, questions, event, expiresAt })
    this.#publish("approval.opened", { approval, questions, expiresAt, ...placeOf(event) })
    return opened
  }

  async #redeem(id: string, caller: string, binding: string): Promise<readonly Answer[] | undefined> {
    const redeemed = await this.store.redeem(id, { caller, binding })
    if (!redeemed.ok) return undefined
    this.#publish("approval.redeemed", { approval: id, ...placeOf(redeemed.approval.event) })
    return redeemed.approval.answers
  }
}

/** What of an event says where it happens. */
const placeOf = ({ on, server, tool, session, caller }: JsonObject): JsonObject => ({
  ...(on === undefined ? {} : { on }),
  ...(server === undefined ? {} : { server }),
  ...(tool === undefined ? {} : { tool }),
  ...(session === undefined ? {} : { session }),
  ...(caller === undefined ? {} : { caller }),
})

/** Who asks, and all that an answer is good for. */
async function bound(standing: Standing, { event, questions }: OpenQuestion) {
  const text = (name: string): object => (typeof event[name] === "string" ? { [name]: event[name] } : {})
  const caller = String((event.caller as { readonly id?: unknown }).id)
  const binding = bindingOf({
    on: String(event.on),
    phase: String(event.phase),
    ...text("server"),
    ...text("tool"),
    ...text("session"),
    definition: await standing.definition(event),
    input: inputOf(event),
    caller,
    hooks: questions.map(({ hook }) => hook),
    ...standing.hashes,
  })
  return { caller, binding }
}

/** Everything that an operation is about, so that another one is another. */
function inputOf({ on: _, phase: __, server: ___, tool: ____, session: _____, caller: ______, ...input }: JsonObject) {
  return input
}
