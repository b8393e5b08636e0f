import type { Imported } from "../../dialects/imported/policy.ts"
import type { Source } from "./sources.ts"

/** A policy in YAML, each value as JSON writes it, with what is doubtful about a hook above it. */
export function policyText(hooks: readonly Imported[], agent: string, sources: readonly Source[]): string {
  const head = [
    `# Hooks of ${agent}, from ${sources.map(({ shown }) => shown).join(", ")}.`,
    "# Each runs the command that its host would run, in the host's own words; no `allow` of it counts.",
    "version: 1",
  ]
  if (hooks.length === 0) return [...head, "hooks: []", ""].join("\n")
  return [...head, "hooks:", ...hooks.flatMap(hookLines), ""].join("\n")
}

function hookLines({ hook, findings }: Imported): readonly string[] {
  const members = Object.entries(hook).filter(([, value]) => value !== undefined)
  return [
    ...findings.map(({ message }) => `  # ${message.replaceAll(/\s+/g, " ")}`),
    ...members.map(([key, value], index) => `  ${index === 0 ? "- " : "  "}${key}: ${JSON.stringify(value)}`),
  ]
}
