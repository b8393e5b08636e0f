/** One row of the table of who may import whom. */
export interface Ring {
  readonly ring: number
  /** the rows it may import besides itself */
  readonly may: readonly string[]
  /** the rows of which it may import types alone */
  readonly types?: readonly string[]
  /** whether it may use Node's modules */
  readonly node: boolean
  /** the packages that it may import; absent: none */
  readonly packages?: readonly string[]
}

const PURE = [
  "effects",
  "policy",
  "clamp",
  "frames",
  "engine",
  "dialects",
  "prompts/template.ts",
  "prompts/sections.ts",
]
const READERS = [...PURE, "policy/file.ts", "prompts", "settings", "store"]
const TOUCHING = [...READERS, "actions", "exec"]
const RUNNERS = [...TOUCHING, "golden", "govern"]
const ALL = [...RUNNERS, "mcp", "daemon"]

/**
 * The rings, by folder. A file that has a row of its own is not part of its folder's row.
 *
 * Everything of a lower ring may be named; a folder never imports its neighbour in the same ring unless it says so here.
 */
export const RINGS: Readonly<Record<string, Ring>> = Object.freeze({
  effects: { ring: 0, may: [], node: false, packages: ["zod"] },
  "prompts/template.ts": { ring: 0, may: ["effects"], node: false },
  "prompts/sections.ts": { ring: 0, may: ["effects", "prompts/template.ts"], node: false, packages: ["mustache"] },
  policy: {
    ring: 1,
    may: ["effects", "prompts/template.ts", "prompts/sections.ts"],
    node: false,
    packages: ["zod", "yaml", "re2js"],
  },
  "policy/file.ts": { ring: 1, may: ["effects", "policy"], node: true },
  clamp: { ring: 2, may: ["effects", "policy"], node: false },
  frames: { ring: 2, may: ["effects", "policy"], types: ["clamp"], node: false },
  engine: { ring: 3, may: ["effects", "policy", "clamp", "frames", "prompts/template.ts"], node: false },
  dialects: { ring: 3, may: ["effects", "policy", "frames"], types: ["clamp"], node: false, packages: ["zod"] },
  prompts: {
    ring: 4,
    may: [...PURE, "policy/file.ts"],
    node: true,
    packages: ["openai", "@anthropic-ai/sdk", "yaml", "zod"],
  },
  settings: { ring: 4, may: [...PURE, "policy/file.ts"], node: true },
  store: { ring: 4, may: [...PURE, "policy/file.ts", "settings"], node: true, packages: ["libsql"] },
  actions: { ring: 5, may: READERS, node: true, packages: ["tsx", "ajv", "@opentelemetry/api"] },
  exec: { ring: 5, may: READERS, node: true, packages: ["esbuild", "tsx"] },
  golden: { ring: 6, may: READERS, node: true, packages: ["vitest", "zod"] },
  govern: { ring: 6, may: READERS, node: true, packages: ["zod", "yaml"] },
  mcp: {
    ring: 7,
    may: RUNNERS,
    node: true,
    packages: ["@modelcontextprotocol/client", "@modelcontextprotocol/server", "@hono/node-server", "zod"],
  },
  daemon: {
    ring: 7,
    may: [...RUNNERS, "mcp"],
    node: true,
    packages: [
      "hono",
      "@hono/node-server",
      "pino",
      "prom-client",
      "zod",
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-base",
    ],
  },
  cli: { ring: 8, may: [...ALL, "index.ts", "node.ts"], node: true },
  console: { ring: 8, may: PURE, node: false },
  "index.ts": { ring: 3, may: PURE, node: false },
  "node.ts": { ring: 5, may: [...TOUCHING, "index.ts"], node: true },
  "mcp.ts": { ring: 7, may: ["dialects", "mcp"], node: false },
  "golden.ts": { ring: 6, may: [...TOUCHING, "golden", "index.ts", "node.ts"], node: true },
})

/** The row that a file stands in: its own, or its top folder's. */
export const rowOf = (file: string): string => (Object.hasOwn(RINGS, file) ? file : (file.split("/")[0] ?? file))

/** What only `cli/` may touch of `process`. */
export const OF_CLI = Object.freeze(["argv", "env", "exit", "exitCode"] as const)

/** Entry files of processes and threads of our own: what each needs of `process`, and why nobody can hand it over. */
export const ENTRIES: Readonly<Record<string, { readonly needs: readonly string[]; readonly why: string }>> =
  Object.freeze({
    "actions/engine.ts": {
      needs: ["env"],
      why: "the library's door: hooks get an allow-list of the host's environment",
    },
    "actions/run/helper.ts": { needs: ["exit"], why: "a child of ours that ends when its parent is gone" },
    "exec/modules.ts": { needs: ["*"], why: "part of a script's own process: it hands a warning back to Node" },
    "exec/launcher.ts": {
      needs: ["argv", "exitCode"],
      why: "a script's own process: it shows the script its arguments",
    },
  })

/** Files that are one long table: their length is their content, not behaviour. */
export const TABLES: readonly string[] = Object.freeze(["policy/vocabulary.ts", "cli/commands.ts"])
