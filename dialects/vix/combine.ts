import { ALLOW, BEHAVIORS, type Decision } from "./decision.ts"

/** What one hook of a group decided. */
export interface Said {
  readonly id: string
  readonly blocking: boolean
  readonly decision: Decision
}

/** One hook's decision as it stands, and what was taken away from it. */
export interface Heard extends Said {
  /** the decision that a hook which is not blocking may not make */
  readonly lowered?: Decision["behavior"]
}

export interface Combined {
  readonly decision: Decision
  /** whose denial or rewrite it is */
  readonly by?: string
  readonly heard: readonly Heard[]
  /** what did not come to count, one sentence each */
  readonly reports: readonly string[]
}

const rank = ({ behavior }: Decision): number => BEHAVIORS.indexOf(behavior)

/**
 * The most restrictive decision of a group wins, the first of its kind; the context of every hook is joined by line breaks.
 * A hook that is not blocking cannot veto and cannot rewrite: that is lowered, and reported.
 */
export function combine(said: readonly Said[]): Combined {
  const heard = said.map(lower)
  const winner = heard.reduce<Heard | undefined>(
    (best, one) => (rank(one.decision) > rank(best?.decision ?? ALLOW) ? one : best),
    undefined,
  )
  const { reason, input, behavior } = winner?.decision ?? ALLOW
  const context = heard.flatMap(({ decision }) => decision.context ?? []).join("\n")
  const stands = behavior === "deny" || behavior === "modify"
  return {
    decision: {
      behavior,
      ...(behavior === "deny" ? { reason: reason ?? `denied by the hook \`${winner!.id}\`` } : {}),
      ...(input === undefined ? {} : { input }),
      ...(context === "" ? {} : { context }),
    },
    ...(stands ? { by: winner!.id } : {}),
    heard,
    reports: [...heard.flatMap(loweredReport), ...lostRewrites(heard, winner)],
  }
}

function lower(one: Said): Heard {
  const { blocking, decision } = one
  if (blocking || rank(decision) <= rank({ behavior: "context" })) return one
  const { context } = decision
  const rest: Decision = context === undefined ? ALLOW : { behavior: "context", context }
  return { ...one, decision: rest, lowered: decision.behavior }
}

const loweredReport = ({ id, lowered }: Heard): string[] =>
  lowered === undefined ? [] : [`the \`${lowered}\` of the hook \`${id}\` does not count: it is not blocking`]

const lostRewrites = (heard: readonly Heard[], winner: Heard | undefined): string[] =>
  heard
    .filter((one) => one !== winner && one.decision.behavior === "modify")
    .map(({ id }) => `the \`modify\` of the hook \`${id}\` does not count: \`${winner!.id}\` came before it`)
