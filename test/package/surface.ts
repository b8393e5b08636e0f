/** What a door of the package exports. */
export interface Surface {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** The chosen surface, door by door. A name here is a promise: adding one is a line, taking one away is a breaking change. */
export const SURFACES: Readonly<Record<string, Surface>> = Object.freeze({
  "index.ts": {
    values: [
      "CEILINGS",
      "KEYS",
      "KEY_NAMES",
      "LEVELS",
      "LEVEL_NAMES",
      "PHASES",
      "PHASE_NAMES",
      "PolicyError",
      "clamp",
      "isLevel",
      "isPhase",
      "levelOf",
      "showFinding",
    ],
    types: [
      "Advice",
      "Apply",
      "Cause",
      "Ceiling",
      "CeilingEntry",
      "ClampInput",
      "Clamped",
      "Dropped",
      "Finding",
      "Frame",
      "FrameType",
      "Hook",
      "HookFrame",
      "Key",
      "Level",
      "Outcome",
      "Output",
      "Phase",
      "Policy",
      "Proposal",
      "Question",
      "Refusal",
      "Run",
      "Verdict",
    ],
  },
  "golden.ts": {
    values: ["goldenCases", "runGolden", "showCoverage", "showResult"],
    types: [
      "CaseOutcome",
      "CaseResult",
      "Coverage",
      "FrameDifference",
      "GoldenOptions",
      "GoldenResult",
      "MemberDifference",
      "Uncovered",
    ],
  },
})
