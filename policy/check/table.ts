import type { Finding } from "../findings.ts"
import type { Problem } from "../issues.ts"
import { ceilingDisables, ceilingLogic, ceilingOrdering, ceilingReadsClaims, guardReadsClaims } from "./ceilings.ts"
import { variableOnMissingField, whenOnMissingField } from "./fields.ts"
import { badGrantPattern, floorInManifest, outsideGrant } from "./grant.ts"
import {
  alwaysLowered,
  closedBelowAsk,
  floorAboveEffect,
  floorAboveMax,
  floorUntrusted,
  recheckNeeded,
} from "./levels.ts"
import { badLogic, orderingOnMissing } from "./logic.ts"
import { badPattern, neverMatches, unknownKind, unknownPluginServer, unknownServer } from "./matchers.ts"
import { ceilingVariable, unknownVariable } from "./names.ts"
import { phaseOfNoPoint, prefixOfNoKind, unknownPoint } from "./points.ts"
import { promptExample, promptSource, promptUnheard } from "./prompts.ts"
import { keyAboveEffect, unknownRuleKey, valueDoesNotFit } from "./rule.ts"
import type { HookCheck, PolicyCheck, PolicySubject } from "./subject.ts"
import { placeholderOnMissingField, promptTemplate, unknownPlaceholder } from "./texts.ts"
import { duplicateCeilingId, duplicateId, nearDoubles } from "./twins.ts"
import { unknownStep, unreachableStep } from "./workflow.ts"

interface Row {
  readonly severity: Finding["severity"]
  readonly doc: string
  readonly hook?: HookCheck
  readonly policy?: PolicyCheck
}

/** Everything that `check` looks for beyond the shape of the file. */
export const CHECKS = Object.freeze({
  "unknown-point": { severity: "error", doc: "`on` is no point", hook: unknownPoint },
  "phase-of-no-point": { severity: "error", doc: "the point does not have the phase", hook: phaseOfNoPoint },
  "closed-below-ask": {
    severity: "error",
    doc: "`failure: closed` on a hook that may not refuse",
    hook: closedBelowAsk,
  },
  "floor-above-effect": { severity: "error", doc: "a floor above the hook's own effect", hook: floorAboveEffect },
  "floor-untrusted": { severity: "error", doc: "a floor in a layer that is not trusted", hook: floorUntrusted },
  "floor-in-manifest": { severity: "error", doc: "a floor in a server's manifest", hook: floorInManifest },
  "floor-above-max": { severity: "error", doc: "a floor that `autonomy.max` never lets hold", hook: floorAboveMax },
  "recheck-needed": { severity: "error", doc: "`recheck: false` with a floor or `closed`", hook: recheckNeeded },
  "when-on-missing-field": { severity: "error", doc: "a matcher on a field the point lacks", hook: whenOnMissingField },
  "variable-on-missing-field": {
    severity: "error",
    doc: "a condition on a field the point lacks",
    hook: variableOnMissingField,
  },
  "placeholder-on-missing-field": {
    severity: "error",
    doc: "a placeholder for a field the point lacks",
    hook: placeholderOnMissingField,
  },
  "prompt-source": { severity: "error", doc: "a prompt that says nothing, or that cannot be read", hook: promptSource },
  "prompt-template": { severity: "error", doc: "a raw tag, or tags that do not match", hook: promptTemplate },
  "prompt-example": { severity: "error", doc: "an example's answer that would not count", hook: promptExample },
  "unknown-rule-key": { severity: "error", doc: "a rule's key that is no output key", hook: unknownRuleKey },
  "value-does-not-fit": {
    severity: "error",
    doc: "a rule's value that does not fit its key or phase",
    hook: valueDoesNotFit,
  },
  "bad-logic": { severity: "error", doc: "JSON Logic with an unknown operation or a bad pattern", hook: badLogic },
  "bad-ceiling-logic": { severity: "error", doc: "the same in a ceiling", policy: ceilingLogic },
  "bad-pattern": { severity: "error", doc: "a `/regex/` that cannot be read", hook: badPattern },
  "bad-grant-pattern": { severity: "error", doc: "the same in a server's grant", policy: badGrantPattern },
  "unknown-step": { severity: "error", doc: "a workflow's edge to a step that is not there", hook: unknownStep },
  "duplicate-id": { severity: "error", doc: "an id used twice in one file", policy: duplicateId },
  "duplicate-ceiling-id": { severity: "error", doc: "the same of ceilings", policy: duplicateCeilingId },
  "prefix-of-no-kind": { severity: "warning", doc: "an observe hook that no event kind fits", hook: prefixOfNoKind },
  "prompt-unheard": { severity: "warning", doc: "a prompt whose answer never counts", hook: promptUnheard },
  "always-lowered": { severity: "warning", doc: "an effect that is never in force", hook: alwaysLowered },
  "key-above-effect": { severity: "warning", doc: "a rule's key that is always dropped", hook: keyAboveEffect },
  "ceiling-disables": { severity: "warning", doc: "a condition that can switch off a guard", policy: ceilingDisables },
  "ceiling-reads-claims": {
    severity: "warning",
    doc: "a ceiling on what the caller says of itself",
    policy: ceilingReadsClaims,
  },
  "guard-reads-claims": {
    severity: "warning",
    doc: "a guard on what the caller says of itself",
    hook: guardReadsClaims,
  },
  "unknown-kind": { severity: "warning", doc: "a kind that no tool is of", hook: unknownKind },
  "unknown-server": { severity: "warning", doc: "a server that is neither declared nor an agent", hook: unknownServer },
  "unknown-plugin-server": {
    severity: "warning",
    doc: "a plugin of a server that is not declared",
    hook: unknownPluginServer,
  },
  "never-matches": { severity: "warning", doc: "a regex that can never match", hook: neverMatches },
  "ordering-on-missing": {
    severity: "warning",
    doc: "an ordering test on a variable that may be missing",
    hook: orderingOnMissing,
  },
  "ceiling-ordering": { severity: "warning", doc: "the same in a ceiling", policy: ceilingOrdering },
  "unknown-variable": { severity: "warning", doc: "a variable that no event has", hook: unknownVariable },
  "ceiling-variable": { severity: "warning", doc: "the same in a ceiling", policy: ceilingVariable },
  "unknown-placeholder": {
    severity: "warning",
    doc: "a placeholder that stays as text, or that no event has",
    hook: unknownPlaceholder,
  },
  "outside-grant": {
    severity: "warning",
    doc: "a manifest's hook on what its grant keeps it from",
    hook: outsideGrant,
  },
  "unreachable-step": { severity: "warning", doc: "a workflow's step that nothing leads to", hook: unreachableStep },
  "near-doubles": { severity: "warning", doc: "two hooks that differ in effect alone", policy: nearDoubles },
} as const satisfies Record<string, Row>)

export type CheckName = keyof typeof CHECKS

/** A problem with its weight and the check that found it. */
export interface Checked extends Problem {
  readonly severity: Finding["severity"]
  readonly check: CheckName
}

/** Runs every check over a file. */
export function* runChecks(policy: PolicySubject): Generator<Checked> {
  for (const [check, row] of Object.entries<Row>(CHECKS)) {
    const found = row.policy
      ? [...row.policy(policy)]
      : policy.hooks.flatMap((hook) => [...(row.hook?.(hook, policy) ?? [])])
    for (const problem of found) yield { ...problem, severity: row.severity, check: check as CheckName }
  }
}
