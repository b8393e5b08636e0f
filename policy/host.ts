import type { JsonObject } from "../effects/json.ts"
import { isPlain } from "../effects/plain.ts"
import { FILE_ACTIONS } from "./actions.ts"
import { buildHook, type HookText } from "./build.ts"
import { runChecks } from "./check/table.ts"
import { type Finding, PolicyError } from "./findings.ts"
import type { Problem } from "./issues.ts"
import { pointerOf } from "./places.ts"
import type { Hook, HostFunction, Origin } from "./policy.ts"
import { checkShape } from "./shape.ts"

/** A host function as a hook, for the TypeScript API: what a file may say of a hook, with `fn` as its action. */
export interface HostHook
  extends Partial<
    Pick<
      Hook,
      | "id"
      | "phase"
      | "when"
      | "effect"
      | "floor"
      | "failure"
      | "timeoutMs"
      | "enabled"
      | "recheck"
      | "redact"
      | "description"
      | "cwd"
      | "env"
    >
  > {
  readonly on: string
  readonly fn: HostFunction
  /** `retry`, tools, programs and modules that its `run` outputs may name */
  readonly may?: readonly string[]
}

const SOURCE = "host hooks"
const ORIGIN: Origin = { layer: "host" }

/** Stands in the place of the function where a hook is held against the shape of files. */
const PLACE_HOLDER = Object.freeze({ rule: {} })

/**
 * The hooks of a host program, with their defaults filled in. They are held against the shape and the checks of files.
 *
 * @throws PolicyError with everything that is wrong with them.
 */
export function hostHooks(given: readonly HostHook[]): Hook[] {
  if (!Array.isArray(given)) {
    const message = "the hooks of a host are a list of objects with `fn`"
    throw new PolicyError([{ severity: "error", message, file: SOURCE }])
  }
  const own = given.flatMap(problemsOf)
  if (own.length > 0) throw errorOf(own)
  const texts = (given as readonly HostHook[]).map(textOf)
  const shape = checkShape({ hooks: texts })
  if (shape.problems.length > 0) throw errorOf(shape.problems)
  const subjects = texts.map((text, index) => ({ text, hook: hookOf(text, index), path: ["hooks", index] }))
  const found = [
    ...runChecks({ hooks: subjects, ceilings: [], autonomyMax: "run", servers: [], trusted: true }),
  ].filter(({ severity }) => severity === "error")
  if (found.length > 0) throw errorOf(found)
  return subjects.map(({ hook }, index) => ({ ...hook, action: { kind: "function", fn: given[index].fn } }))
}

const textOf = ({ fn: _, ...text }: HostHook): HookText => ({ ...text, ...PLACE_HOLDER })

const hookOf = (text: HookText, index: number): Hook => ({
  ...buildHook(text, index, ORIGIN, undefined),
  ...(text.id === undefined && { id: `host[${index}]` }),
})

/** What the shape of files cannot say, since a file has no functions. */
function problemsOf(hook: unknown, index: number): Problem[] {
  const path = ["hooks", index]
  if (!isPlain(hook) || typeof hook.fn !== "function") {
    const hint = '{ on: "call", phase: "before", effect: "ask", fn: (event) => ({ refuse: "no" }) }'
    return [{ path, message: `\`hooks[${index}]\` must be an object with a function, \`fn\``, hint }]
  }
  return actionsIn(hook).map((key) => ({
    path: [...path, key],
    message: `\`hooks[${index}]\` has \`${key}\` beside its function`,
    hint: `a hook with \`${key}\` stands in a policy`,
  }))
}

const actionsIn = (hook: JsonObject): readonly string[] => FILE_ACTIONS.filter((key) => Object.hasOwn(hook, key))

const errorOf = (problems: readonly Problem[]): PolicyError =>
  new PolicyError(
    problems.map(
      ({ path, message, hint }): Finding => ({
        severity: "error",
        message,
        ...(hint !== undefined && { hint }),
        file: SOURCE,
        pointer: pointerOf(path),
      }),
    ),
  )
