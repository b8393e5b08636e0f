/** Calls of a tool through `detent mcp`, against the bare server and the least proxy there can be, in the same run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spreadOf } from "./harness.ts"

// Started in the project's folder (run.sh), wherever this file has been built to.
const here = (name: string) => resolve("bench", name)
const folder = mkdtempSync(join(tmpdir(), "detent-bench-"))
const policy = join(folder, "detent.json")
const server = here("mcp-server.mjs")

/** Ten guards that look at each call, and let it pass. */
const hooks = Array.from({ length: 10 }, (_, at) => ({
  id: `guard-${at}`,
  on: "call",
  phase: "before",
  when: { tool: "write_file", if: { glob: [{ var: "args.path" }, `**/secret-${at}/**`] } },
  rule: { refuse: "not there" },
  effect: "ask",
}))
writeFileSync(
  policy,
  JSON.stringify({ version: 1, servers: { files: { command: [process.execPath, server] } }, hooks }),
)

const WAYS = {
  "bare server": [server],
  "least proxy": [here("mcp-proxy.mjs"), server],
  "detent mcp": [here("../dist/bin.cjs"), "mcp", "--policy", policy, "--server", "files"],
}

async function connect(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args] }))
  return client
}

const ways = await Promise.all(
  Object.entries(WAYS).map(async ([name, args]) => ({
    name,
    client: await connect(args),
    p50: [] as number[],
    rate: [] as number[],
  })),
)

type Args = Record<string, unknown>
const call = (client: Client, args: Args) => client.callTool({ name: "write_file", arguments: args })

/** Microseconds of the middle one of so many calls, so many at a time; and calls in a second. */
async function round(client: Client, args: Args, calls: number, atOnce: number) {
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let left = calls / atOnce; left > 0; left--) {
        const start = performance.now()
        await call(client, args)
        times.push((performance.now() - start) * 1000)
      }
    }),
  )
  return { p50: times.sort((a, b) => a - b)[times.length >> 1]!, rate: (calls * 1000) / (performance.now() - began) }
}

const small = { path: "/repo/a.ts" }
const LOADS = [
  { title: "100 B, one at a time", args: small, calls: 300, atOnce: 1 },
  { title: "100 B, 10 in flight", args: small, calls: 600, atOnce: 10 },
  { title: "100 B, 100 in flight", args: small, calls: 1000, atOnce: 100 },
  {
    title: "arguments of 100 KB, one at a time",
    args: { ...small, content: "x".repeat(100_000) },
    calls: 60,
    atOnce: 1,
  },
  { title: "a result of 100 KB, one at a time", args: { ...small, bytes: 100_000 }, calls: 60, atOnce: 1 },
  { title: "a result of 10 MB, one at a time", args: { ...small, bytes: 10_000_000 }, calls: 2, atOnce: 1 },
]
for (const { title, args, calls, atOnce } of LOADS) {
  for (const way of ways) {
    way.p50.length = 0
    way.rate.length = 0
    // A session that has gone on for a while: V8 compiles none of the three ways in their first thousand calls.
    await round(way.client, args, calls * 8, atOnce)
  }
  for (let turn = 0; turn < 15; turn++) {
    for (const way of turn % 2 ? [...ways].reverse() : ways) {
      const { p50, rate } = await round(way.client, args, calls, atOnce)
      way.p50.push(p50)
      way.rate.push(rate)
    }
  }
  const [bare] = ways
  const lines = ways.map(({ name, p50, rate }) => {
    const ratio = spreadOf(p50.map((one, at) => one / bare!.p50[at]!))
    const { median } = spreadOf(p50)
    return `| ${name} | ${median.toFixed(0)} µs | ${ratio.median.toFixed(2)}x | ${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)} | ${spreadOf(rate).median.toFixed(0)} |`
  })
  console.log(
    [`\n### ${title}\n`, "| way | p50 | ratio | middle half | calls/s |", "|---|---|---|---|---|", ...lines].join("\n"),
  )
}
await Promise.all(ways.map(({ client }) => client.close()))
rmSync(folder, { recursive: true })
