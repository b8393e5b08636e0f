/** The prompts that come with Detent, by the name that `prompt: {library: …}` gives; each is a folder of `prompts/library/`. */
export const LIBRARY = Object.freeze({
  "secret-leak": { doc: "does this call carry a credential out, or write one down?" },
  "destructive-command": { doc: "does this command destroy what cannot be brought back?" },
  "prompt-injection": { doc: "does a tool's result try to give orders to the agent?" },
  scope: { doc: "is this call part of what the user asked for?" },
  "change-review": { doc: "is this change one that a reviewer would let through?" },
} as const)

export type LibraryName = keyof typeof LIBRARY

export const LIBRARY_NAMES = Object.freeze(Object.keys(LIBRARY)) as readonly LibraryName[]
