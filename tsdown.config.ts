import { existsSync, readdirSync } from "node:fs"
import { defineConfig, type UserConfig } from "tsdown"

/** Folders at the top that hold no part of the product. */
const BESIDE = new Set(["bench", "coverage", "dist", "docs", "examples", "fixtures", "node_modules", "schemas", "test"])

const folders = readdirSync(".", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !BESIDE.has(entry.name))
  .map((entry) => entry.name)

/** The doors of the package; one that is not written yet is left out. */
const doors = ["index.ts", "node.ts", "golden.ts"].filter((door) => existsSync(door))

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
    outExtensions: () => ({ dts: ".d.ts" }),
    dts: { emitDtsOnly: true },
  },
  {
    // The command starts for every hook of an agent: one CommonJS file is what Node reads fastest.
    ...shared,
    clean: false,
    entry: { bin: "cli/bin.ts" },
    format: "cjs",
    platform: "node",
    outExtensions: () => ({ js: ".cjs" }),
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    dts: false,
    plugins: [
      {
        // What the fast path cannot answer is read from the mirror, at run time.
        name: "main-stays-outside",
        resolveId(source: string, importer: string | undefined) {
          const wanted = source === "./main.ts" && importer?.endsWith("/cli/bin.ts")
          return wanted ? { id: "./cli/main.js", external: true } : null
        },
      },
    ],
  },
])
