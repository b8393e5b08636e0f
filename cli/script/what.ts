/** What to run: a file or code, and its arguments. */
export type Script = { readonly args: readonly string[] } & ({ readonly file: string } | { readonly code: string })
