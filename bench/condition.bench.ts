/** One condition, compiled, against a closure that a person would write for it, and against two peers. */
import { createRequire } from "node:module"
import jsonLogic from "json-logic-js"
import { compileCondition } from "../policy/logic/compile.ts"
import { type Case, measure, table } from "./harness.ts"

/** Required, since it is there only after `run.sh` has installed it. */
const require = createRequire(import.meta.url)
const { LogicEngine } = require("json-logic-engine")

interface Event {
  readonly tool: string
  readonly kind: string
  readonly caller?: { readonly role?: string }
  readonly target?: { readonly path?: string }
  readonly args?: {
    readonly path?: string
    readonly size?: number
    readonly edits?: readonly { readonly kind: string; readonly lines: number }[]
    readonly options?: { readonly mode?: string; readonly encoding?: string }
  }
}

const event = (index: number): Event => ({
  tool: "write_file",
  kind: "write",
  caller: { role: "dev" },
  target: { path: `/repo/app/src/file${index}.ts` },
  args: {
    path: `/repo/app/src/file${index}.ts`,
    size: 1200 + index,
    edits: [
      { kind: "add", lines: 3 },
      { kind: "delete", lines: 9 },
      { kind: "add", lines: 20 },
    ],
    options: { mode: "sync" },
  },
})
const events = [event(0), event(1), event(2), event(3)]

const KINDS = new Set(["read", "edit", "delete", "write"])
const v = (path: string) => ({ var: path })

/** Each with its closure; what may be missing from an event is asked for with `?.` in both. */
const CONDITIONS: Readonly<Record<string, readonly [rule: object, byHand: (event: Event) => boolean]>> = {
  "one name": [{ "==": [v("tool"), "write_file"] }, ({ tool }) => tool === "write_file"],
  "in a list": [{ in: [v("kind"), [...KINDS]] }, ({ kind }) => KINDS.has(kind)],
  "and, or, paths": [
    {
      and: [
        { "==": [v("caller.role"), "dev"] },
        { or: [{ ">": [v("args.size"), 1e6] }, { in: ["/src/", v("args.path")] }] },
        { "!=": [v("target.url"), "none"] },
      ],
    },
    ({ caller, args, target }) =>
      caller?.role === "dev" &&
      ((args?.size as number) > 1e6 || (args?.path?.includes("/src/") ?? false)) &&
      (target as { url?: string } | undefined)?.url !== "none",
  ],
  "some and all": [
    {
      and: [
        { some: [v("args.edits"), { "==": [v("kind"), "delete"] }] },
        { all: [v("args.edits"), { "<": [v("lines"), 100] }] },
      ],
    },
    ({ args }) => {
      let deletes = false
      for (const { kind, lines } of args?.edits ?? []) {
        if (kind === "delete") deletes = true
        if (!(lines < 100)) return false
      }
      return deletes
    },
  ],
  "nothing missing": [
    { "!": { missing: ["args.path", "args.size", "caller.role"] } },
    ({ args, caller }) => args?.path != null && args?.size != null && caller?.role != null,
  ],
  "three parts": [{ "==": [v("args.options.mode"), "sync"] }, ({ args }) => args?.options?.mode === "sync"],
  "three parts, missing": [
    { "==": [v("args.options.encoding"), "utf8"] },
    ({ args }) => args?.options?.encoding === "utf8",
  ],
}

const engine = new LogicEngine()
for (const [name, [rule, byHand]] of Object.entries(CONDITIONS)) {
  const ours = compileCondition(rule)
  const built = engine.build(rule)
  const answers: Record<string, (event: Event) => unknown> = {
    "closure by hand": byHand,
    detent: ours,
    "json-logic-engine, built": built,
    "json-logic-js apply": (event) => jsonLogic.apply(rule as never, event),
  }
  for (const [who, answer] of Object.entries(answers)) {
    if (answer(events[0]!) !== byHand(events[0]!)) throw new Error(`${who} says otherwise on ${name}`)
  }
  const cases: Record<string, Case> = {}
  for (const [who, answer] of Object.entries(answers)) cases[who] = (index) => answer(events[index & 3]!)
  console.log(table(name, await measure(cases, { rounds: 21, ms: 20 })))
}
