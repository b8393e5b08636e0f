/** One restriction, and whether it holds whatever somebody tries. */
export interface Boundary {
  /** `enforced`: a test tries to get round it; `advisory`: it rests on somebody's word, or on what lies outside */
  readonly state: "enforced" | "advisory"
  readonly doc: string
  /** where a test tries to get round it */
  readonly surfaces?: readonly string[]
  /** the test that does */
  readonly test?: string
}

/**
 * Every restriction that somebody may rely on.
 *
 * INVARIANT: what is enforced here is tried on each of its surfaces (test/boundaries/boundaries.test.ts).
 */
export const BOUNDARIES = Object.freeze({
  "autonomy.max": {
    state: "enforced",
    doc: "no hook reaches a level above `autonomy.max`, whoever asks for it and wherever",
    surfaces: ["body", "header", "environment", "flags", "per-call hook", "project policy", "mcp", "settings PUT"],
    test: "test/boundaries/autonomy-max.ts",
  },
  ceilings: {
    state: "enforced",
    doc: "a ceiling that matches lowers every hook, and what a caller says of itself does not lift it",
    surfaces: ["body", "header"],
    test: "test/boundaries/ceilings.ts",
  },
  floor: {
    state: "enforced",
    doc: "a hook with a floor from a trusted layer runs at that level, whatever others say",
    surfaces: ["header", "flags", "named policy", "kill switch", "settings PUT"],
    test: "test/boundaries/floor.ts",
  },
  untrusted: {
    state: "enforced",
    doc: "a project's policy that is only found runs nothing: its rules may ask, and all else of it is inert",
    surfaces: ["hooks", "servers", "script lines", "settings", "daemon", "folder of a call"],
    test: "test/boundaries/untrusted.ts",
  },
  "per-call": {
    state: "enforced",
    doc: "what one call brings along is on `script` alone, comes last, has no floor, and replaces nothing of the operator's",
    surfaces: ["lines", "hooks", "order", "floor", "point"],
    test: "test/boundaries/per-call.ts",
  },
  token: {
    state: "enforced",
    doc: "on TCP, and on the socket once somebody has a token, who asks is whose token it is; what a caller says of itself is a claim",
    surfaces: ["tcp", "socket", "body"],
    test: "test/boundaries/callers.ts",
  },
  scopes: {
    state: "enforced",
    doc: "a token does what its scopes let it do, on every route",
    surfaces: ["routes"],
    test: "test/boundaries/callers.ts",
  },
  origin: {
    state: "enforced",
    doc: "pages of other sites do not speak to the daemon, under any name of this machine",
    surfaces: ["tcp", "socket", "host"],
    test: "test/boundaries/callers.ts",
  },
  "read-only": {
    state: "enforced",
    doc: "hooks, script lines, servers, the model and ceilings cannot be changed over HTTP, and there is no route that adds a hook",
    surfaces: ["settings PUT", "routes"],
    test: "test/boundaries/questions.ts",
  },
  "own-question": {
    state: "enforced",
    doc: "who caused a question does not answer it, and an answer is good for exactly what was asked, once",
    surfaces: ["own answer", "other input", "again"],
    test: "test/boundaries/questions.ts",
  },
  audit: {
    state: "enforced",
    doc: "a decision that cannot be written down is a refusal, and nothing is sent",
    surfaces: ["decide", "exec"],
    test: "test/boundaries/questions.ts",
  },
  "local-caller": {
    state: "advisory",
    doc: "without tokens, who asks is the local user, whichever of its programs it is: who that is rests on its word",
  },
  "own-answer-local": {
    state: "advisory",
    doc: "without tokens, a program may answer the question that it caused itself",
  },
  claims: { state: "advisory", doc: "conditions on `caller.claims` rest on what a caller says of itself" },
  "command-line": {
    state: "advisory",
    doc: "on the command line and in process, `--caller` and the layers' flags are the operator's own word",
  },
  "rewrite-grants": {
    state: "advisory",
    doc: "a replacement that was opted in for a host (`--rewrite-grants`) may be discarded by it, or taken for a grant",
  },
  "agent-asks": {
    state: "advisory",
    doc: "an agent asks only where its own configuration names Detent, and whoever may write that may take it out",
  },
  programs: {
    state: "advisory",
    doc: "programs, modules and scripts that are run may do what the user may: their effect is clamped, and not their process",
  },
} as const satisfies Record<string, Boundary>)

export type BoundaryId = keyof typeof BOUNDARIES

/** The table as it is told: one object each. */
export const boundaryRows = (): readonly (Boundary & { readonly id: string })[] =>
  Object.entries<Boundary>(BOUNDARIES).map(([id, row]) => ({ id, ...row }))
