/**
 * Runs `NAME.bench.ts` of this folder. What is measured is the build: an import of a source file becomes one of its
 * mirror in `dist/`, since a loader that reads TypeScript as it goes wraps every function and makes it slower.
 */
import { join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const bench = fileURLToPath(new URL(".", import.meta.url))
const root = resolve(bench, "..")

const measureTheBuild = {
  name: "measure-the-build",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(root, resolve(resolveDir, path)).replace(/\.ts$/, ".js")
      return { path: pathToFileURL(join(root, "dist", file)).href, external: true }
    })
  },
}

const [name] = process.argv.slice(2)
// Beside the peers' packages, so that they are found.
const outfile = join(bench, "node_modules/.measured", `${name}.mjs`)
await build({
  entryPoints: [join(bench, `${name}.bench.ts`)],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.12",
  packages: "external",
  plugins: [measureTheBuild],
})
await import(pathToFileURL(outfile).href)
