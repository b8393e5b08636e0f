import { isObject } from "../effects/json.ts"
import { DaemonCeilings } from "../engine/daemon.ts"
import { eventOf } from "../engine/event.ts"
import type { CeilingSource, HookFrame } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { type CeilingEntry, type Hook, type Policy, showOrigin } from "../policy/policy.ts"
import type { Case } from "./case.ts"
import type { Ran } from "./result.ts"

/** A hook or a ceiling that no case touches. */
export interface Uncovered {
  readonly id: string
  /** `detent.yaml:12` */
  readonly origin: string
}

/** What the cases leave out, by policy file; a policy that is written in a case is that case's own affair. */
export interface Coverage {
  readonly policies: readonly {
    /** as the first case that names it writes it */
    readonly file: string
    /** hooks that no case fires: at most they were skipped */
    readonly hooks: readonly Uncovered[]
    /** `ceilings` and `autonomy.max` that lowered nothing and dropped nothing in any case */
    readonly ceilings: readonly Uncovered[]
  }[]
}

/** Takes notes of what each case touched. */
export class CoverageNotes {
  readonly #policies = new Map<string, { policy: Policy; fired: Set<string>; exercised: Set<string> }>()

  add({ one, run }: Ran): void {
    const { policy, policyFile } = one
    if (policyFile === undefined) return
    let notes = this.#policies.get(policyFile)
    if (!notes) {
      notes = { policy, fired: new Set(), exercised: new Set() }
      this.#policies.set(policyFile, notes)
    }
    for (const frame of run.frames) {
      if (frame.type !== "hook") continue
      if (!frame.skipped) notes.fired.add(frame.hook)
      for (const source of daemonSources(frame, one)) notes.exercised.add(keyOf(source))
    }
  }

  sum(): Coverage {
    const policies = [...this.#policies.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      policies: policies.map(([, { policy, fired, exercised }]) => ({
        file: policy.file ?? "policy",
        hooks: hooksOf(policy).flatMap(({ id, origins }) =>
          fired.has(id) ? [] : [{ id, origin: origins.map(showOrigin).join(", ") }],
        ),
        ceilings: stopsOf(policy).flatMap(({ id, origin, key }) => (exercised.has(key) ? [] : [{ id, origin }])),
      })),
    }
  }
}

const hooksOf = ({ hooks }: Policy): Hook[] => hooks.filter((hook) => hook !== null)

const keyOf = ({ id, origin }: Pick<CeilingSource, "id" | "origin">): string => `${id ?? ""} ${origin}`

function stopsOf({ ceilings, autonomyMax }: Policy): (Uncovered & { readonly key: string })[] {
  const entry = ({ id, origin: at }: CeilingEntry, index: number) => {
    const origin = showOrigin(at)
    return {
      id: id ?? `ceilings[${index}]`,
      origin,
      key: keyOf({ ...(id ? { id } : {}), origin: `ceilings (${origin})` }),
    }
  }
  return [
    ...autonomyMax.map(({ origin }) => ({
      id: "autonomy.max",
      origin: showOrigin(origin),
      key: keyOf({ origin: `autonomy.max (${showOrigin(origin)})` }),
    })),
    ...ceilings.map(entry),
  ]
}

/** What of the daemon's was at work in a frame: what lowered the hook, or what dropped one of its keys. */
function daemonSources(frame: HookFrame, one: Case): CeilingSource[] {
  const lowered = (frame.ceilings ?? []).filter(({ by }) => by === "daemon")
  const dropped = frame.dropped?.some(({ by }) => by.includes("daemon")) ?? false
  // A key above the hook's own effect is dropped without a word of which ceiling stood there: it is looked up again.
  return lowered.length > 0 || !dropped ? lowered : [standing(one)]
}

function standing({ policy, event, caller }: Case): CeilingSource {
  const ceilings = new DaemonCeilings(policy, [])
  const by = isObject(caller) ? caller : { id: "local" }
  return ceilings.lower(ceilings.base, eventOf(String(event.on), event.phase as Phase, event, by)).source
}
