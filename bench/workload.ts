import type { JsonObject } from "../effects/json.ts"
import { complete } from "../policy/complete.ts"
import type { Hook, Policy } from "../policy/policy.ts"
import { NOTHING } from "../settings/nothing.ts"

/** One rule of the workload: a part of a path that calls of a tool may not have. */
export interface Refusing {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly needle: string
}

/** `n` rules, spread among them `concerned` for the one tool of all events. */
export function rulesOf(n: number, concerned: number): readonly Refusing[] {
  const step = Math.floor(n / concerned)
  return Array.from({ length: n }, (_, index) => {
    const fits = index % step === 0 && index / step < concerned
    return {
      id: `r${index}`,
      server: fits ? "fs" : `server${index % 17}`,
      tool: fits ? "write_file" : `tool${index}`,
      needle: `/secret${index}/`,
    }
  })
}

const hookOf = ({ id, server, tool, needle }: Refusing, advises: boolean, line: number): Hook =>
  complete(
    {
      on: "call",
      phase: "before",
      effect: advises ? "advise" : "ask",
      when: { server, tool, ...(advises ? {} : { if: { in: [needle, { var: "args.path" }] } }) },
      action: { kind: "rule", rule: advises ? { advise: adviceOf(id) } : { refuse: reasonOf(needle) } },
    },
    id,
    [{ layer: "project", source: "bench.yaml", line }],
  )

export const adviceOf = (id: string): string => `look at ${id}`
export const reasonOf = (needle: string): string => `no writing in ${needle}`

const policyOf = (rules: readonly Refusing[], advises: boolean): Policy => ({
  ...NOTHING,
  hooks: rules.map((rule, index) => hookOf(rule, advises, index + 1)),
})

/** Each rule a hook that refuses. */
export const refusing = (rules: readonly Refusing[]): Policy => policyOf(rules, false)

/** Each rule a hook without a condition that advises: every one that is concerned makes a frame. */
export const advising = (rules: readonly Refusing[]): Policy => policyOf(rules, true)

/** 64 events, one in eight of which is refused by one of the rules. */
export function eventsOf(rules: readonly Refusing[]): readonly (JsonObject & { args: { path: string } })[] {
  const concerned = rules.filter(({ tool }) => tool === "write_file")
  return Array.from({ length: 64 }, (_, index) => {
    const { needle } = concerned[(index * 7) % concerned.length]!
    const path = index % 8 === 2 ? `/repo${needle}k.txt` : `/repo/src/file${index}.ts`
    return { server: "fs", tool: "write_file", args: { path } }
  })
}
