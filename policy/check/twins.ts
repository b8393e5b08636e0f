import type { Hook } from "../policy.ts"
import { sameness } from "../sameness.ts"
import { at, type PolicyCheck } from "./subject.ts"

export const duplicateId: PolicyCheck = function* ({ hooks }) {
  const first = new Map<string, number>()
  for (const subject of hooks) {
    const { id } = subject.hook
    const line = subject.hook.origins[0]?.line
    const before = first.get(id)
    if (before !== undefined) {
      const message = `the id \`${id}\` is used twice`
      const other = before === 0 ? "" : `the other is on line ${before}; `
      yield { path: at(subject, "id"), message, hint: `${other}ids are unique within a file` }
    } else first.set(id, line ?? 0)
  }
}

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
