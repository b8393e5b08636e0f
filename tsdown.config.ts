import { existsSync, readdirSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { defineConfig, type UserConfig } from "tsdown"

/** Folders at the top that hold no part of the product. */
const BESIDE = new Set(["bench", "coverage", "dist", "docs", "examples", "fixtures", "node_modules", "schemas", "test"])

const folders = readdirSync(".", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !BESIDE.has(entry.name))
  .map((entry) => entry.name)

/** The doors of the package; one that is not written yet is left out. */
const doors = ["index.ts", "node.ts", "mcp.ts", "golden.ts"].filter((door) => existsSync(door))

const shared: UserConfig = {
  outDir: "dist",
  root: ".",
  target: "node20.12",
  sourcemap: false,
  hash: false,
  logLevel: "warn",
  report: false,
  deps: { skipNodeModulesBundle: true },
}

/** What the one file reads lazily is read from the mirror, at run time: none of it is in the way of a quick start. */
const lazyFromTheMirror = {
  name: "lazy-from-the-mirror",
  resolveId(source: string, importer: string | undefined, { kind }: { kind?: string }) {
    if (kind !== "dynamic-import" || importer === undefined || !source.startsWith(".")) return null
    const file = relative(".", resolve(dirname(importer), source)).replace(/\.ts$/, ".js")
    return { id: `./${file}`, external: true as const }
  },
}

/** Modules of Node's own that take as long to start as everything else together, and that few decisions need. */
const SLOW = ["node:crypto", "node:tty"]
const WAITING = "\0waiting:"

/** Loads each of these when one of its functions is first called. */
const slowBuiltinsWait = {
  name: "slow-builtins-wait",
  resolveId(source: string, importer: string | undefined) {
    if (!SLOW.includes(source)) return null
    return importer?.startsWith(WAITING) ? { id: source, external: true as const } : { id: WAITING + source }
  },
  async load(id: string) {
    if (!id.startsWith(WAITING)) return null
    const name = id.slice(WAITING.length)
    const functions = Object.entries(await import(name)).filter(([, value]) => typeof value === "function")
    const waiting = functions.map(([key]) => `export const ${key} = (...args) => require("${name}").${key}(...args)`)
    return { code: waiting.filter((line) => !line.includes(" default ")).join("\n") }
  },
}

/** The quick bundle is compiled by `cli/compiled.ts`, which hands it an `import()`. */
const importIsGiven = {
  name: "import-is-given",
  renderChunk: (code: string) => code.replaceAll(/\bimport\(/g, "__import("),
}

/** One CommonJS file is what Node reads fastest. */
const quickest: UserConfig = {
  ...shared,
  clean: false,
  format: "cjs",
  platform: "node",
  outExtensions: () => ({ js: ".cjs" }),
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  dts: false,
  plugins: [lazyFromTheMirror, slowBuiltinsWait],
}

export default defineConfig([
  {
    // One file out for one file in: workers and launchers are found beside the files that start them.
    ...shared,
    entry: [...doors, ...folders.map((folder) => `${folder}/**/*.ts`), "!cli/bin.ts"],
    format: "esm",
    platform: "neutral",
    unbundle: true,
    // Some files register something as they are read; in a mirror of the source nothing is cut away.
    treeshake: false,
    outExtensions: () => ({ js: ".js" }),
    dts: false,
  },
  {
    ...shared,
    clean: false,
    entry: doors,
    format: "esm",
    platform: "neutral",
    // A mirror too: what several doors share would else be named after one of them, in the door's place.
    unbundle: true,
    outExtensions: () => ({ dts: ".d.ts" }),
    dts: { emitDtsOnly: true },
  },
  {
    ...quickest,
    entry: { bin: "cli/bin.ts" },
  },
  {
    // `decide` starts for every hook of an agent.
    ...quickest,
    entry: { quick: "cli/quick.ts" },
    plugins: [lazyFromTheMirror, slowBuiltinsWait, importIsGiven],
  },
])
