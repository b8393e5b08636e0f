/** A condition that could not be evaluated. `message` is one sentence that holds nothing of the event's values. */
export class ConditionError extends Error {
  override readonly name = "ConditionError"
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** Whatever was thrown while evaluating, as a ConditionError. JavaScript's own messages stay: they name no values. */
export const asConditionError = (error: unknown): ConditionError =>
  error instanceof ConditionError
    ? error
    : new ConditionError(`the condition could not be evaluated: ${error instanceof Error ? error.message : "it threw"}`)
