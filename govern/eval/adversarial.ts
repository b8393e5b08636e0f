import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parse } from "yaml"
import { z } from "zod"
import { copyJson } from "../../effects/json.ts"
import { KEY_NAMES, type Key } from "../../effects/keys.ts"
import { LEVEL_NAMES } from "../../effects/levels.ts"
import { FAILURES, type FailureKind } from "../../frames/failures.ts"
import type { HookFrame } from "../../frames/frames.ts"
import type { Phase } from "../../policy/phases.ts"
import type { Hook } from "../../policy/policy.ts"
import { readAnswer } from "../../prompts/answer.ts"
import type { EvalOptions } from "./run.ts"
import type { EvalSet } from "./set.ts"

const TABLE = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts")
      ? "../../prompts/library/adversarial.yaml"
      : "../../../prompts/library/adversarial.yaml",
    import.meta.url,
  ),
)

const keys = z.array(z.string())
const failed = z.enum(Object.keys(FAILURES) as [FailureKind, ...FailureKind[]])
const came = z.union([z.strictObject({ kept: keys, dropped: keys }), z.strictObject({ failed })])

/** A text, or its parts: what is long is not written out. */
const text = z
  .union([z.string(), z.array(z.union([z.string(), z.strictObject({ text: z.string(), times: z.int() })]))])
  .transform((given) =>
    typeof given === "string"
      ? given
      : given.map((part) => (typeof part === "string" ? part : part.text.repeat(part.times))).join(""),
  )

const tableSchema = z.strictObject({
  answers: z.array(
    z.strictObject({
      name: z.string(),
      text,
      phase: z.string().optional(),
      failed: failed.optional(),
      at: z.partialRecord(z.enum(LEVEL_NAMES as [string, ...string[]]), came).optional(),
    }),
  ),
})

/**
 * An answer of a hostile or confused model, and what has to come of it: at each level that `at` names, or `failed` at all of
 * them. Its phase is `before` where it names none.
 */
export type HostileAnswer = z.infer<typeof tableSchema>["answers"][number]

/** The table that comes with Detent. */
export const hostileAnswers = (): readonly HostileAnswer[] =>
  tableSchema.parse(parse(readFileSync(TABLE, "utf8"))).answers

/** An answer that came to something else than the table says. */
export interface Deviation {
  readonly hook: string
  readonly answer: string
  readonly level: string
  readonly expected: string
  readonly got: string
}

export interface AdversarialResult {
  readonly file: string
  /** how many answers were tried, over all hooks */
  readonly tried: number
  readonly deviations: readonly Deviation[]
}

/** Gives every hostile answer of its phase to each prompt hook of a set, at the level that the hook has here. */
export async function runAdversarial(
  set: EvalSet,
  { createEngine, settings }: Pick<EvalOptions, "createEngine" | "settings">,
  answers: readonly HostileAnswer[] = hostileAnswers(),
): Promise<AdversarialResult> {
  const deviations: Deviation[] = []
  let tried = 0
  for (const hook of set.hooks) {
    for (const answer of answers) {
      if ((answer.phase ?? "before") !== hook.phase) continue
      const frame = await give(set, hook, answer, createEngine, settings)
      const expected = frame && expectedOf(answer, frame.effect)
      if (!frame || expected === undefined) continue
      tried++
      const got = comeTo(frame)
      if (got !== expected) deviations.push({ hook: hook.id, answer: answer.name, level: frame.effect, expected, got })
    }
  }
  return { file: set.file, tried, deviations }
}

async function give(
  { policy, events }: EvalSet,
  hook: Hook,
  { text }: HostileAnswer,
  createEngine: EvalOptions["createEngine"],
  settings: EvalOptions["settings"],
): Promise<HookFrame | undefined> {
  const about = events.find(({ event }) => event.on === hook.on && event.phase === hook.phase)
  if (!about) return undefined
  const reply = { text, stop: "end", inputTokens: 0, outputTokens: 0 } as const
  const { when: _, ...always } = hook
  const engine = await createEngine({
    policy: { ...policy, hooks: [always] },
    settings,
    down: async () => undefined,
    actions: (real) => ({ ...real, prompt: { run: async () => readAnswer(reply) } }),
  })
  try {
    const { on, phase, ...event } = copyJson(about.event)
    const verdict = await engine.fire(String(on), phase as Phase, event, about.caller ? { caller: about.caller } : {})
    return verdict.frames.find((frame): frame is HookFrame => frame.type === "hook")
  } finally {
    await engine.close()
  }
}

const told = (kept: readonly string[], dropped: readonly string[]): string =>
  `kept ${[...kept].sort().join(", ") || "nothing"}; dropped ${[...dropped].sort().join(", ") || "nothing"}`

function expectedOf(answer: HostileAnswer, level: string): string | undefined {
  const row = answer.failed === undefined ? answer.at?.[level] : { failed: answer.failed }
  if (row === undefined) return undefined
  return "failed" in row ? `failed: ${row.failed}` : told(row.kept, row.dropped)
}

/** What a frame says came of an answer, in the words of the table. */
function comeTo(frame: HookFrame): string {
  if (frame.failed) return `failed: ${frame.failed.kind}`
  const kept = KEY_NAMES.filter((key) => isKept(frame, key))
  return told(
    kept,
    (frame.dropped ?? []).map(({ key }) => key),
  )
}

function isKept(frame: HookFrame, key: Key): boolean {
  if (key === "apply") return frame.changed
  if (key === "run") return frame.ran !== undefined
  return frame[key] !== undefined
}
