import { isObject, type JsonObject } from "../effects/json.ts"
import { FILE_ACTIONS } from "./actions.ts"
import type { HookText } from "./build.ts"
import { actionProblem, type Problem, problemsOfIssues } from "./issues.ts"
import { type Path, pointerOf } from "./places.ts"
import { KNOWN_KEYS, manifestSchema, policySchema } from "./schema.ts"
import { stepsIn } from "./walk.ts"

/** What the shape of a file has to say for itself. */
export interface Shape {
  readonly problems: readonly Problem[]
  /** pointers of the settings and of the list entries that cannot be used */
  readonly bad: ReadonlySet<string>
}

const STEP_ACTIONS = FILE_ACTIONS.filter((kind) => kind !== "workflow")

/** The schema, and what a schema says badly: exactly one action, one way to a server, nothing said in two places. */
export function checkShape(value: unknown): Shape {
  const checked = policySchema.safeParse(value)
  const schema = checked.success ? [] : problemsOfIssues(checked.error.issues, value)
  const more = isObject(value) ? [...actionsOf(value), ...serversOf(value), ...modelOf(value)] : []
  return shapeOf([...schema, ...more])
}

/** The same of a server's manifest. */
export function checkManifestShape(value: JsonObject): Shape {
  const checked = manifestSchema.safeParse(value)
  const schema = checked.success ? [] : problemsOfIssues(checked.error.issues, value, KNOWN_KEYS.manifest)
  return shapeOf([...schema, ...actionsOf(value)])
}

function shapeOf(problems: readonly Problem[]): Shape {
  const barring = problems.filter((problem) => !isSpareInHook(problem))
  return { problems, bad: new Set(barring.map(({ path }) => pointerOf(unit(path)))) }
}

/** An unknown key of a hook itself: the rest of the hook is checked all the same, so that every finding comes at once. */
const isSpareInHook = ({ path, spare }: Problem): boolean => spare === true && path[0] === "hooks" && path.length === 3

/** The part of a file that falls out with a problem: one entry of a list, or one setting. */
const unit = (path: Path): Path => path.slice(0, path[0] === "hooks" || path[0] === "ceilings" ? 2 : 1)

function* actionsOf({ hooks }: JsonObject): Generator<Problem> {
  for (const [index, hook] of (Array.isArray(hooks) ? hooks : []).entries()) {
    if (!isObject(hook)) continue
    const path = ["hooks", index]
    const own = actionProblem(Object.keys(hook), path)
    if (own) yield own
    if (!isObject(hook.workflow) || !isObject(hook.workflow.steps)) continue
    for (const { step, at } of stepsIn(hook as HookText, path)) {
      const found = isObject(step) ? actionProblem(Object.keys(step), at, STEP_ACTIONS) : undefined
      if (found) yield found
    }
  }
}

function* serversOf({ servers }: JsonObject): Generator<Problem> {
  for (const [name, server] of Object.entries(isObject(servers) ? servers : {})) {
    if (!isObject(server)) continue
    // A server that an agent reaches, or the agent itself, is only spoken of.
    if (Object.keys(server).join() === "annotations") continue
    const hint = "a server is started by `command`, or reached by `url`"
    if (Object.hasOwn(server, "command") === Object.hasOwn(server, "url")) {
      yield { path: ["servers", name], message: `\`servers.${name}\` needs one of \`command\` and \`url\``, hint }
      continue
    }
    if (Object.hasOwn(server, "grant") && !Object.hasOwn(server, "manifest")) {
      const message = "`grant` does nothing for a server without `manifest`"
      yield { path: ["servers", name, "grant"], at: "key", message, hint: "leave it out, or name the manifest" }
    }
    const [way, idle] = Object.hasOwn(server, "url") ? ["url", OF_CHILDREN] : ["command", OF_URLS]
    for (const key of idle) {
      const message = `\`${key}\` does nothing for a server with \`${way}\``
      if (Object.hasOwn(server, key)) yield { path: ["servers", name, key], at: "key", message, hint: "leave it out" }
    }
  }
}

/** What a server that is reached has no use for, and one that is started. */
const OF_CHILDREN = ["env", "cwd", "maxBytes"] as const
const OF_URLS = ["headers"] as const

function* modelOf(value: JsonObject): Generator<Problem> {
  for (const key of Object.keys(isObject(value.model) ? value.model : {})) {
    const dotted = `model.${key}`
    if (!Object.hasOwn(value, dotted)) continue
    yield { path: [dotted], at: "key", message: `\`${dotted}\` is said in \`model\` too`, hint: "keep one of them" }
  }
}
