import { tmpdir } from "node:os"
import { dirname, relative } from "node:path"
import { copyJson, type JsonObject } from "../effects/json.ts"
import { rank } from "../effects/levels.ts"
import type { Engine } from "../engine/engine.ts"
import type { FireOptions } from "../engine/given.ts"
import type { Happening, OpenQuestion } from "../engine/ports.ts"
import type { Answer, Frame, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { Cassettes } from "../prompts/cassettes.ts"
import type { Case } from "./case.ts"
import type { MakeEngine } from "./engine.ts"
import { inOrder } from "./observed.ts"
import { answering } from "./outputs.ts"
import { goldenText, type Place } from "./stable.ts"

/** What a case came to. */
export interface CaseRun {
  /** the golden: one frame a line, the verdict last */
  readonly text: string
  /** the frames as they were, those of observers last */
  readonly frames: readonly Frame[]
  readonly verdict: Verdict
}

/** Who answers the prompts of a case: recordings, models, or models whose answers are recorded. */
export interface Models {
  readonly mode: "replay" | "live" | "record"
  /** the case's folder, open */
  readonly cassettes?: Cassettes
}

/** A case that could be read and could not be run; its message says why. */
export class BrokenCase extends Error {
  override readonly name = "BrokenCase"
}

/**
 * Runs one case: fires its event, or runs its operation with hooks around it, and waits for observers.
 *
 * @throws BrokenCase where a hook can neither run here nor has an output, or the engine refuses the case.
 */
export async function runCase(
  one: Case,
  createEngine: MakeEngine,
  models: Models = { mode: "replay" },
): Promise<CaseRun> {
  const broken: string[] = []
  const onMissing = (hook: string, why: string) => broken.push(missing(hook, why, one))
  const happened: Happening[] = []
  const observed: Frame[] = []
  const engine = await createEngine({
    policy: one.policy,
    settings: settingsOf(one),
    tools: one.tools,
    cwd: one.folder,
    ...(models.mode === "live"
      ? {}
      : { cassettes: { folder: models.cassettes ?? one.cassettes, mode: models.mode, onMissing } }),
    ...(one.answers ? { ask: answersOf(one.answers) } : {}),
    down: async () => undefined,
    publish: (happening) => happened.push(happening),
    onObserved: (frame) => observed.push(frame),
    actions: answering(one, (why) => broken.push(why)),
  }).catch(asBroken)
  let verdict: Verdict
  try {
    verdict = await fired(one, engine).catch(asBroken)
  } finally {
    await engine.close()
  }
  if (broken.length > 0) throw new BrokenCase([...new Set(broken)].join("; "))
  const hooks = one.policy.hooks.filter((hook) => hook !== null)
  const frames = [...verdict.frames, ...inOrder(observed, happened, hooks)]
  return { text: goldenText(frames, verdict, placesOf(one)), frames, verdict }
}

function missing(hook: string, why: string, { folder, cassettes }: Case): string {
  const where = relative(folder, cassettes) || "."
  return `\`${hook}\` has no entry in \`outputs\`, and \`${where}\` holds ${why}: \`detent test --live --update\` asks the model and records what it says`
}

function asBroken(cause: unknown): never {
  throw new BrokenCase(cause instanceof Error ? cause.message : String(cause))
}

function fired({ event: given, operation, ...one }: Case, engine: Engine): Promise<Verdict> {
  const { on, phase, caller: _, ...event } = copyJson(given)
  const options: FireOptions = {
    ...(one.caller ? { caller: one.caller } : {}),
    ...(one.host ? { host: one.host } : {}),
  }
  if (operation === undefined) return engine.fire(String(on), phase as Phase, event, options)
  return engine.around(String(on), event, () => giveOrThrow(operation), options)
}

function giveOrThrow(operation: NonNullable<Case["operation"]>): unknown {
  if ("error" in operation) throw copyJson<JsonObject>(operation.error)
  return copyJson(operation.result)
}

/** As start flags, but a case can only tighten: both settings combine with the policy's by minimum. */
function settingsOf({ settings, policy }: Case): Case["settings"] {
  const { "hooks.autonomy": asked, ...rest } = settings
  const standing = policy.hooksAutonomy?.value ?? "run"
  return asked === undefined || rank(asked) > rank(standing) ? rest : settings
}

/** Answers each question by the id of its hook; one without an answer is left unanswered. */
const answersOf =
  (answers: Readonly<Record<string, string>>) =>
  async ({ questions }: OpenQuestion): Promise<readonly Answer[]> =>
    questions.map(({ hook }) => (Object.hasOwn(answers, hook) ? answers[hook]! : ""))

/** The folders of this machine that may stand in a frame. */
function placesOf({ folder, policyFile }: Case): Place[] {
  const ofPolicy = policyFile === undefined ? folder : dirname(policyFile)
  return [
    { folder, shown: "" },
    ...(ofPolicy === folder ? [] : [{ folder: ofPolicy, shown: relative(folder, ofPolicy).replaceAll("\\", "/") }]),
    ...(tmpdir() === "/tmp" ? [] : [{ folder: tmpdir(), shown: "/tmp" }]),
  ]
}
