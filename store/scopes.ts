/** What a caller's token lets it do, besides being somebody. */
export const SCOPES = Object.freeze({
  decide: "have moments decided",
  exec: "run scripts, and have hooks run what it did not send",
  approve: "answer questions that others caused",
  read: "see settings, events, approvals and threads",
  administer: "change settings",
} as const)

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.freeze(Object.keys(SCOPES)) as readonly Scope[]

export const isScope = (value: unknown): value is Scope => typeof value === "string" && Object.hasOwn(SCOPES, value)
