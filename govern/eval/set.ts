import { readFileSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { z } from "zod"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { checkEvent } from "../../policy/events.ts"
import { parsePolicyBytes } from "../../policy/file.ts"
import { type Finding, PolicyError } from "../../policy/findings.ts"
import { problemsOfIssues } from "../../policy/issues.ts"
import { nearest } from "../../policy/nearest.ts"
import { type Path, pointerOf } from "../../policy/places.ts"
import type { Hook, Policy } from "../../policy/policy.ts"
import { readPolicyText } from "../../policy/text.ts"
import { CLASSES, type Class } from "./classes.ts"

const label = z.enum(Object.keys(CLASSES) as [Class, ...Class[]])
const labels = z.union([label, z.array(label).min(1)])
const text = () => z.string({ error: "must be a text" }).regex(/\S/, { error: "must not be empty" })

/** A set of labelled events, as its file holds it. */
export const evalSchema = z
  .strictObject(
    {
      policy: text().describe("the policy's path from this file's folder"),
      hooks: z.array(text()).min(1).optional().describe("which of its prompt hooks are judged; default: all"),
      cassettes: text().optional().describe("where recorded answers are; default: a folder named after this file"),
      caller: z.looseObject({ id: text() }).optional().describe("who asks"),
      events: z
        .array(
          z.strictObject({
            name: text(),
            event: z.record(z.string(), z.unknown(), { error: "must be an event" }),
            expect: z
              .union([labels, z.record(z.string(), labels)])
              .describe("what a good judge says: one or several are right, for all hooks or by hook id"),
          }),
        )
        .min(1),
    },
    { error: "must be an object with `policy` and `events`" },
  )
  .meta({ title: "Detent evaluation set" })

/** The published JSON Schema of a set, draft 2020-12. */
export const evalJsonSchema = (): JsonObject => ({ ...z.toJSONSchema(evalSchema) })

type EvalText = z.infer<typeof evalSchema>

/** One labelled event. */
export interface Labelled {
  readonly name: string
  readonly event: JsonObject
  /** who asks: the event's own caller, or the set's */
  readonly caller?: JsonObject
  /** what is right, the plainest first */
  expected(hook: string): readonly Class[]
}

/** A set of labelled events, read and checked. */
export interface EvalSet {
  /** absolute */
  readonly file: string
  readonly policy: Policy
  readonly hooks: readonly Hook[]
  readonly cassettes: string
  readonly events: readonly Labelled[]
}

const KEYS = Object.keys(evalSchema.shape)

/**
 * Reads one set with its policy.
 *
 * @param named a policy in place of the set's own: absolute, and as findings name it
 * @throws PolicyError with every finding and its place.
 */
export function readSet(path: string, named?: NamedPolicy): EvalSet {
  const file = resolve(path)
  const read = readPolicyText(readFileSync(file, "utf8"), false)
  const shown = basename(file)
  const at = (inner: Path, which: "key" | "value" = "value") => ({
    file: shown,
    ...read.locate(inner, which),
    pointer: pointerOf(inner),
  })
  const ofText = read.problems.map(
    ({ message, place, hint }): Finding => ({
      severity: "error",
      message: message.replace("the policy", "the set").replace("a policy", "a set"),
      ...(hint === undefined || read.value === undefined ? {} : { hint }),
      file: shown,
      ...place,
    }),
  )
  if (read.value === undefined) throw new PolicyError(ofText)
  const checked = evalSchema.safeParse(read.value)
  if (!checked.success) {
    const problems = problemsOfIssues(checked.error.issues, read.value, KEYS).map(
      ({ path: inner, at: which, message, hint }): Finding => ({
        severity: "error",
        message: message.replace(/^(a|the) policy/, "the set"),
        ...(hint === undefined ? {} : { hint }),
        ...at(inner, which),
      }),
    )
    throw new PolicyError([...ofText, ...problems])
  }
  const folder = dirname(file)
  const own = { path: resolve(folder, checked.data.policy), shown: checked.data.policy }
  return setOf(checked.data, file, ofText, at, named ?? own)
}

interface NamedPolicy {
  readonly path: string
  readonly shown: string
}

type At = (path: Path, which?: "key" | "value") => Partial<Finding>

function setOf(given: EvalText, file: string, ofText: readonly Finding[], at: At, named: NamedPolicy): EvalSet {
  const policy = policyAt(named.path, named.shown, at)
  const prompts = promptHooks(policy)
  const findings = [...ofText, ...faults(given, prompts, at)]
  if (findings.length > 0) throw new PolicyError(findings)
  return {
    file,
    policy,
    hooks: prompts.filter(({ id }) => given.hooks?.includes(id) ?? true),
    cassettes: resolve(dirname(file), given.cassettes ?? basename(file).replace(/\.eval\.yaml$/, ".cassettes")),
    events: given.events.map(({ name, event, expect }) => ({
      name,
      event,
      ...callerOf(event.caller ?? given.caller),
      expected: (hook) => listOf(isLabels(expect) ? expect : Object.hasOwn(expect, hook) ? expect[hook]! : "none"),
    })),
  }
}

const callerOf = (caller: unknown): Pick<Labelled, "caller"> => (isObject(caller) ? { caller } : {})

type Labels = z.infer<typeof labels>
const isLabels = (expect: EvalText["events"][number]["expect"]): expect is Labels =>
  typeof expect === "string" || Array.isArray(expect)
const listOf = (given: Labels): readonly Class[] => (typeof given === "string" ? [given] : given)

/**
 * The policy of a set, or of the other side of a comparison.
 *
 * @throws PolicyError with every finding.
 */
export function policyAt(path: string, shown: string, at: At = () => ({})): Policy {
  let content: Uint8Array
  try {
    content = readFileSync(path)
  } catch (cause) {
    const message = `the policy \`${shown}\` cannot be read (${(cause as NodeJS.ErrnoException).code ?? "unknown"})`
    throw new PolicyError([{ severity: "error", message, ...at(["policy"]) }])
  }
  return parsePolicyBytes(content, { file: shown, base: dirname(path) })
}

/** The hooks that ask a model. */
export const promptHooks = ({ hooks }: Policy): Hook[] =>
  hooks.filter((hook): hook is Hook => hook !== null && hook.action.kind === "prompt")

function* faults({ hooks = [], events, caller }: EvalText, prompts: readonly Hook[], at: At): Generator<Finding> {
  const ids = prompts.map(({ id }) => id)
  const unknown = (id: string, path: Path, which?: "key"): Finding => {
    const near = nearest(id, ids)
    const hint = near === undefined ? `its prompt hooks are ${ids.join(", ")}` : `did you mean \`${near}\`?`
    return { severity: "error", message: `the policy has no prompt hook \`${id}\``, hint, ...at(path, which) }
  }
  if (ids.length === 0) {
    yield { severity: "error", message: "the policy has no prompt hook", ...at(["policy"]) }
    return
  }
  for (const [index, id] of hooks.entries()) if (!ids.includes(id)) yield unknown(id, ["hooks", index])
  const names = new Set<string>()
  for (const [index, { name, event, expect }] of events.entries()) {
    const path = ["events", index]
    if (names.has(name)) {
      const message = `two events are named \`${name}\``
      yield { severity: "error", message, hint: "a name tells one of them", ...at([...path, "name"]) }
    }
    names.add(name)
    for (const message of checkEvent(event)) {
      yield { severity: "error", message: `in \`${name}\`: ${message}`, ...at([...path, "event"]) }
    }
    if (event.caller !== undefined && caller !== undefined) {
      yield { severity: "error", message: "the caller is said twice", ...at([...path, "event", "caller"], "key") }
    } else if (isObject(event.caller) && typeof event.caller.id !== "string") {
      yield { severity: "error", message: "`event.caller` needs an `id`", ...at([...path, "event", "caller"]) }
    }
    for (const id of isLabels(expect) ? [] : Object.keys(expect)) {
      if (!ids.includes(id)) yield unknown(id, [...path, "expect", id], "key")
    }
  }
}
