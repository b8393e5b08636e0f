/** Why a hook has no output: a closed list, with the fixed sentence of each. */
export const FAILURES = Object.freeze({
  exit: "the program ended with a non-zero exit code",
  signal: "the program was ended by a signal",
  timeout: "no answer within the hook's time limit",
  spawn: "the program could not be started",
  throw: "the hook threw",
  "bad-output": "the output is not one JSON object of the keys and values that this phase takes",
  condition: "the hook's condition could not be evaluated",
  unavailable: "what this action needs is not available here",
  "model-refused": "the model refused to answer",
  truncated: "the model's answer was cut off at its limit",
  empty: "the model's answer was empty",
  "rate-limited": "the model's provider asked to wait longer than the hook's time limit",
  "model-error": "the model's provider answered with an error",
  budget: "the budget for this hook is spent",
} as const)

export type FailureKind = keyof typeof FAILURES

export interface Failed {
  readonly kind: FailureKind
  /** a sentence of ours, never what the hook printed or raised */
  readonly message: string
  readonly exitCode?: number
  readonly signal?: string
  /** the keys of an object that a failing process printed */
  readonly ignored?: readonly string[]
}

/** A failure with the fixed sentence of its kind; `detail` adds names that come from the policy, never from the hook. */
export const failed = (
  kind: FailureKind,
  more: Omit<Failed, "kind" | "message"> & { detail?: string } = {},
): Failed => {
  const { detail, ...rest } = more
  return { kind, message: detail === undefined ? FAILURES[kind] : `${FAILURES[kind]}: ${detail}`, ...rest }
}
