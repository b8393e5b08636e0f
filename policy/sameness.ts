import { canonicalJson } from "../effects/json.ts"
import { isDefaultId } from "./build.ts"
import type { Hook } from "./policy.ts"

/** What a hook does, whatever it is called and wherever it was written; without its effect unless asked for. */
export function sameness(hook: Hook, withEffect: boolean): string {
  const { id, origins: _, base, description: __, effect, floor, failure, ...rest } = hook
  return canonicalJson({
    ...rest,
    id: isDefaultId(id) || !withEffect ? null : id,
    base: dependsOnFolder(hook) ? base : null,
    ...(withEffect && { effect, floor, failure }),
  })
}

const isRelative = (path: unknown): boolean => typeof path === "string" && path.includes("/") && !path.startsWith("/")

/** Whether the same text means another file in another folder. */
function dependsOnFolder({ action, cwd }: Hook): boolean {
  if (cwd !== undefined && !cwd.startsWith("/")) return true
  if (action.kind === "run") return isRelative(action.argv[0])
  if (action.kind === "module") return !action.path.startsWith("/")
  return (
    action.kind === "workflow" ||
    (action.kind === "prompt" && typeof action.prompt === "object" && "file" in action.prompt)
  )
}
