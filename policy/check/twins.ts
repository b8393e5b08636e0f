import type { Problem } from "../issues.ts"
import { type Path, showPath } from "../places.ts"
import type { Hook } from "../policy.ts"
import { sameness } from "../sameness.ts"
import { at, type PolicyCheck } from "./subject.ts"

interface Named {
  readonly id: string
  readonly path: Path
  readonly line?: number | undefined
}

/** The second of each two that have one id. */
function* twice(named: readonly Named[]): Generator<Problem> {
  const first = new Map<string, Named>()
  for (const one of named) {
    const other = first.get(one.id)
    if (other === undefined) {
      first.set(one.id, one)
      continue
    }
    const place = other.line === undefined ? `is \`${showPath(other.path)}\`` : `is on line ${other.line}`
    const message = `the id \`${one.id}\` is used twice`
    yield { path: at(one, "id"), message, hint: `the other ${place}; ids are unique within a file` }
  }
}

export const duplicateId: PolicyCheck = ({ hooks }) =>
  twice(hooks.map(({ hook, path }) => ({ id: hook.id, path, line: hook.origins[0]?.line })))

export const duplicateCeilingId: PolicyCheck = ({ ceilings }) => twice(ceilings)

export const nearDoubles: PolicyCheck = function* ({ hooks }) {
  const first = new Map<string, Hook>()
  for (const subject of hooks) {
    const { hook } = subject
    const key = sameness(hook, false)
    const other = first.get(key)
    if (other === undefined) first.set(key, hook)
    else if (other.effect !== hook.effect) {
      const message = `\`${hook.id}\` is the same as \`${other.id}\` in all but its effect, and both run`
      yield { path: subject.path, message, hint: "keep the one that was meant" }
    }
  }
}
