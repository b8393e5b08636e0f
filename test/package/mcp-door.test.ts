import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, it } from "vitest"

const DOOR = fileURLToPath(new URL("../../dist/mcp.js", import.meta.url))

it("the door for MCP clients brings no SDK of its own: it takes the host's, of either generation", async () => {
  const { metafile } = await build({
    entryPoints: [DOOR],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
    outdir: join(DOOR, "../nowhere"),
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(imported).toContain("@opentelemetry/api")
  expect(imported.filter((path) => path.startsWith("@modelcontextprotocol/"))).toEqual([])
})
