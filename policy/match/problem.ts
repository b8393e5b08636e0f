/** A pattern that cannot be used. `message` is one sentence, `hint` says how to mend it. */
export class PatternError extends Error {
  override readonly name = "PatternError"
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
