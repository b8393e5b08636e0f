import { canonicalJson } from "../effects/json.ts"
import { isDefaultId } from "./build.ts"
import type { Hook } from "./policy.ts"
import type { PromptText } from "./prompt.ts"

/** What a hook does, whatever it is called and wherever it was written; without its effect unless asked for, and without its grant. */
export function sameness(hook: Hook, withEffect: boolean): string {
  const { id, origins: _, base, description: __, grant: ___, effect, floor, failure, ...rest } = hook
  return canonicalJson({
    ...rest,
    id: isDefaultId(id) || !withEffect ? null : id,
    base: dependsOnFolder(hook) ? base : null,
    ...(withEffect && { effect, floor, failure }),
  })
}

/** Whether a word names a file from where it stands: `./a`, `a/b`, `guard.mjs`; no absolute path, and no address. */
const isRelative = (word: string): boolean =>
  !word.startsWith("/") && !/^[a-z][\w+.-]*:\/\//i.test(word) && (word.includes("/") || /^\S*\.\w*$/.test(word))

/**
 * Whether the same text means another file in another folder. Of what a shell is told (`sh -c "…"`) only a path with a slash
 * counts: two guards that may be one run twice, rather than one of two guards never.
 */
function dependsOnFolder({ action, cwd }: Hook): boolean {
  if (cwd !== undefined && !cwd.startsWith("/")) return true
  if (action.kind === "run") {
    const [program = "", ...words] = action.argv
    // A bare name is looked up on the PATH, whatever it looks like.
    return (program.includes("/") && isRelative(program)) || words.some(isRelative)
  }
  if (action.kind === "module") return !action.path.startsWith("/")
  return (
    action.kind === "workflow" ||
    (action.kind === "prompt" && filesOf(action.prompt).some((file) => !file.startsWith("/")))
  )
}

/** The files that a prompt is made of: its own, and those of its partials. */
function filesOf(prompt: string | PromptText): string[] {
  if (typeof prompt === "string") return []
  const partials = Object.values(prompt.partials ?? {}).flatMap((partial) =>
    typeof partial === "string" ? [] : [partial.file],
  )
  return prompt.file === undefined ? partials : [prompt.file, ...partials]
}
