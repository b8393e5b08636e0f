import type { Cause } from "../clamp/clamp.ts"
import type { CeilingSource, HookFrame, Verdict } from "../frames/frames.ts"

/** What did not come to pass at a host: nothing else there would say so. */
export interface Losses {
  /** for the user: what a hook wanted, and did not get */
  readonly notices: readonly string[]
  /** for whoever looks after the policy: hooks that were lowered, whether they wanted more or not */
  readonly lowered: readonly string[]
}

/** What was lost on the way to a host, one sentence each. */
export function lossesOf(title: string, { frames }: Pick<Verdict, "frames">): Losses {
  const hooks = frames.filter((frame) => frame.type === "hook")
  return {
    notices: hooks.flatMap((frame) => [
      ...dropsOf(title, frame),
      ...(frame.skipped === "off" && frame.requested ? [`\`${frame.hook}\` did not run: ${loweringOf(frame)}`] : []),
      ...(frame.failed ? [`\`${frame.hook}\` failed: ${frame.failed.message}`] : []),
      ...(frame.notes ?? []).map((note) => `\`${frame.hook}\`: ${note}`),
    ]),
    lowered: hooks.flatMap((frame) =>
      frame.skipped !== "off" && frame.clampedBy?.some((by) => by === "caller" || by === "daemon")
        ? [`\`${frame.hook}\` is ${loweringOf(frame)}`]
        : [],
    ),
  }
}

// A second look counts for doubts alone: what else it says was said at the first.
const dropsOf = (title: string, frame: HookFrame): readonly string[] =>
  (frame.dropped ?? [])
    .filter(({ by }) => !by.includes("recheck"))
    .map(({ key, by, allowed }) => {
      const causes = by.map((cause) => CAUSES[cause](title, allowed, frame)).join(" and ")
      return `\`${frame.hook}\`: \`${key}\` is dropped, since ${causes}`
    })

const CAUSES: Readonly<Record<Cause, (title: string, allowed: string, frame: HookFrame) => string>> = {
  effect: (_, __, { requested, effect }) => `its effect is \`${requested ?? effect}\``,
  phase: (_, __, { phase }) => `\`${phase}\` lets less through`,
  caller: (_, __, frame) => lower("caller", frame) ?? "`hooks.autonomy` is lower",
  daemon: (_, __, frame) => lower("daemon", frame) ?? "`autonomy.max` is lower",
  host: (title, allowed) => `${title} carries \`${allowed}\` here`,
  unknown: () => "no output has such a key",
  refused: () => "it lost to a stronger key",
  may: () => "its `may` does not name it",
  scope: () => "the caller lacks the scope `exec`",
  recheck: () => "a second look counts for doubts alone",
}

const lower = (cause: Cause, { ceilings = [] }: HookFrame): string | undefined => {
  const source = ceilings.find(({ by }) => by === cause)
  return source && `${placeOf(source)} is lower${source.reason === undefined ? "" : `: ${source.reason}`}`
}

const loweringOf = ({ requested, effect, ceilings = [] }: HookFrame): string =>
  `lowered from \`${requested}\` to \`${effect}\` by ${ceilings.map(shown).join(" and ")}`

const shown = (source: CeilingSource): string =>
  `${placeOf(source)}${source.reason === undefined ? "" : ` (${source.reason})`}`

const placeOf = ({ id, origin }: CeilingSource): string => (id === undefined ? origin : `\`${id}\` of ${origin}`)
