import { isObject, type JsonObject, sameJson } from "../effects/json.ts"
import type { HookFrame, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { Dialect, MomentRow, Ruling } from "./dialect.ts"
import { lossesOf } from "./notices.ts"

interface Said {
  readonly go: Ruling["go"]
  readonly reason: string
  readonly input?: JsonObject
}

/** What a verdict comes to on a host: never more than it says, and what cannot be carried is refused or told. */
export function rulingOf(dialect: Dialect, row: MomentRow, phase: Phase, before: JsonObject, verdict: Verdict): Ruling {
  const said = saidOf(dialect, row, phase, verdict)
  const base = { ...said, advice: adviceOf(row, phase, verdict), ...lossesOf(dialect.title, verdict) }
  if (row.refuse === "tells" && base.go === "refuse" && phase === "onSuccess") {
    return { ...base, notices: [...base.notices, `${dialect.title} has shown the refused result already`] }
  }
  if (base.go === "refuse") return base
  if (phase === "before" && row.on === "call" && base.input === undefined) {
    const { input } = verdict
    return isObject(input) && !sameJson(input, before.args ?? {}) ? { ...base, input } : base
  }
  if (phase !== "onSuccess" || sameJson(verdict.result, before.result)) return base
  return { ...base, result: { value: verdict.result } }
}

function saidOf(dialect: Dialect, row: MomentRow, phase: Phase, verdict: Verdict): Said {
  const { outcome, refusal, questions } = verdict
  if (outcome === "refuse") return { go: "refuse", reason: refusal?.reason ?? "refused" }
  if (outcome === "ask") return asked(dialect, row, questions)
  if (outcome === "answer") {
    return { go: "refuse", reason: `nothing is sent: a hook has answered in its place: ${text(verdict.result)}` }
  }
  if (row.refuse !== "none" && verdict.frames.some(replacedMeta)) {
    return { go: "refuse", reason: `a hook replaced the call's \`_meta\`, which ${dialect.title} cannot carry` }
  }
  return proposed(dialect, row, phase, verdict) ?? { go: "on", reason: "" }
}

const replacedMeta = (frame: Verdict["frames"][number]): boolean =>
  frame.type === "hook" && frame.originalMeta !== undefined

function asked({ title }: Dialect, row: MomentRow, questions: Verdict["questions"]): Said {
  const reason = questions.map(({ question }) => question).join("\n")
  const choices = questions.flatMap((question) => question.choices ?? [])
  if (row.ask === "asks" && choices.length === 0) return { go: "ask", reason }
  const why = row.ask === "asks" ? `no choice between ${choices.join(", ")}` : "no question"
  return { go: "refuse", reason: `${reason} (refused: ${title} can put ${why} here)` }
}

/** A proposal in a replacement's place is put to the user with the question, or refused with what was proposed. */
function proposed({ title }: Dialect, row: MomentRow, phase: Phase, verdict: Verdict): Said | undefined {
  const member = phase === "onSuccess" ? "result" : "input"
  const lowered = new Set(verdict.frames.filter(lostToHost("apply")).map((frame) => (frame as HookFrame).hook))
  const found = verdict.proposals.find(
    (one) => (phase === "before" ? "input" in one || "result" in one : lowered.has(one.hook)) || false,
  )
  if (!found || row.refuse === "none" || (phase !== "before" && phase !== "onSuccess")) return undefined
  const value = found[member] ?? found.result
  const note = found.note ?? (lowered.has(found.hook) ? `${title} cannot be trusted with a replacement here` : "")
  const reason = `a hook proposes${note === "" ? "" : ` (${note})`}: ${text(value)}`
  const puts = row.ask === "asks" && row.on === "call" && row.apply === "replaces" && isObject(value)
  return puts ? { go: "ask", reason, input: value } : { go: "refuse", reason }
}

const lostToHost =
  (key: string) =>
  (frame: Verdict["frames"][number]): boolean =>
    frame.type === "hook" && (frame.dropped ?? []).some((drop) => drop.key === key && drop.by.includes("host"))

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Advice, and proposals that stand beside what they are about. */
function adviceOf(row: MomentRow, phase: Phase, { advice, proposals }: Verdict): readonly string[] {
  const beside = proposals.filter((one) => phase !== "before" || row.refuse === "none" || !("input" in one))
  return [
    ...advice.map((one) => one.text),
    ...beside.map(({ hook: _, note, ...rest }) =>
      Object.keys(rest).length === 0 ? (note ?? "") : `proposed${note ? ` (${note})` : ""}: ${text(rest)}`,
    ),
  ]
}

/** Several moments of one event: the first refusal stands, all advice is kept. */
export const together = (rulings: readonly Ruling[]): Ruling => {
  const stops = rulings.find(({ go }) => go === "refuse") ?? rulings.find(({ go }) => go === "ask") ?? rulings[0]
  return {
    ...(stops ?? { go: "on", reason: "" }),
    advice: rulings.flatMap(({ advice }) => advice),
    notices: rulings.flatMap(({ notices }) => notices),
    lowered: rulings.flatMap(({ lowered = [] }) => lowered),
  }
}
