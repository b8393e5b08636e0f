/** Texts one below the other; undefined where there is none, so that nothing is said. */
export const lines = (texts: readonly string[]): string | undefined => (texts.length > 0 ? texts.join("\n") : undefined)
