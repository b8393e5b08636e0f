import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { expect, it } from "vitest"
import { snippetsOf } from "../docs/snippets.ts"
import { BIN } from "./clients.ts"
import { stub } from "./servers.ts"

const page = readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8")
const blocks = snippetsOf("docs/mcp.md", page).filter(({ language, info }) => `${language} ${info}` === "json client")

/** A folder as a reader's: Detent is installed in it, and the policy is there. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "detent-project-"))
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
  symlinkSync(BIN, join(folder, "node_modules/.bin/detent"))
  writeFileSync(join(folder, "detent.yaml"), JSON.stringify({ version: 1, servers: { s: stub("one", "ok", "fine") } }))
  return folder
}

it.each(blocks.map(({ line, text }) => [line, text] as const))(
  "the entry of a client's file in docs/mcp.md:%i starts a server that serves",
  async (_, text) => {
    const cwd = project()
    const file = JSON.parse(text.replaceAll("/home/me", cwd)) as Record<string, { detent: Record<string, string[]> }>
    const [{ detent: entry } = { detent: {} }] = Object.values(file)
    const [command = "", ...args] = [entry.command ?? [], entry.args ?? []].flat()
    const client = new Client({ name: "documented", version: "1" })
    await client.connect(new StdioClientTransport({ command, args, cwd, stderr: "ignore" }))
    expect((await client.callTool({ name: "s__ok", arguments: {} })).content).toEqual([{ type: "text", text: "fine" }])
    await client.close()
  },
  60_000,
)

it("there is one for each form", () => {
  expect(blocks).toHaveLength(3)
})
