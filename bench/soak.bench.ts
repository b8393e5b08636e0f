/**
 * 100,000 calls through `detent mcp`, over stdio and over HTTP: does its memory stay where it is?
 *
 * SOAK_CALLS says how many. Ends with 1 where it has grown by more than `GROWTH_MB`: the least of the last
 * three tenths against the least of the second to the fourth, since between two collections it rises and falls.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const CALLS = Number(process.env.SOAK_CALLS ?? 100_000)
const TENTHS = 10
const AT_ONCE = 50

/** Megabytes: what is kept for clients that come back (32 over HTTP), and a half more for the heap to move in. */
const GROWTH_MB = 48

const folder = mkdtempSync(join(tmpdir(), "detent-soak-"))
const policy = join(folder, "detent.json")
const guard = (id: string, rest: object) => ({ id, on: "call", phase: "before", effect: "ask", ...rest })
writeFileSync(
  policy,
  JSON.stringify({
    version: 1,
    servers: { files: { command: [process.execPath, resolve("bench/mcp-server.mjs")] } },
    hooks: [
      guard("no-secrets", { when: { if: { glob: [{ var: "args.path" }, "**/.env"] } }, rule: { refuse: "not there" } }),
      { id: "noted", on: "call", phase: "onSuccess", when: { args: { path: "/noted" } }, rule: { advise: "noted" } },
    ],
  }),
)
const argv = [resolve("dist/bin.cjs"), "mcp", "--policy", policy, "--server", "files"]

/** One call in ten is refused, one in ten gets advice; every path and every text is another. */
const argsOf = (n: number) => ({
  path: n % 10 === 0 ? `/repo/${n}/.env` : n % 10 === 1 ? "/noted" : `/repo/${n}.ts`,
  content: `${n} `.repeat(20),
})

const megabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

async function soak(name: string, pid: number, client: Client): Promise<boolean> {
  console.log(`\n### ${name}\n\n| calls | RSS, MB | calls/s |\n|---|---|---|`)
  const seen: number[] = []
  let sent = 0
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    const began = performance.now()
    const until = (CALLS / TENTHS) * (tenth + 1)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent < until) await client.callTool({ name: "write_file", arguments: argsOf(sent++) })
      }),
    )
    const rate = (CALLS / TENTHS / (performance.now() - began)) * 1000
    seen.push(megabytes(pid))
    console.log(`| ${until} | ${seen.at(-1)!.toFixed(1)} | ${rate.toFixed(0)} |`)
  }
  const growth = Math.min(...seen.slice(-3)) - Math.min(...seen.slice(1, 4))
  const holds = growth <= GROWTH_MB
  console.log(`\n${growth.toFixed(1)} MB more; at most ${GROWTH_MB}: ${holds ? "met" : "**missed**"}`)
  return holds
}

async function overStdio(): Promise<boolean> {
  const transport = new StdioClientTransport({ command: process.execPath, args: argv, stderr: "ignore" })
  const client = new Client({ name: "soak", version: "1" })
  await client.connect(transport)
  const holds = await soak("over stdio", transport.pid!, client)
  await client.close()
  return holds
}

async function overHttp(): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [...argv, "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] })
  const url = await new Promise<string>((found) => {
    child.stderr!.on("data", (chunk: Buffer) => {
      const [said] = /http:\S+/.exec(chunk.toString("utf8")) ?? []
      if (said) found(said)
    })
  })
  const client = new Client({ name: "soak", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const holds = await soak("over HTTP", child.pid!, client)
  await client.close()
  child.kill("SIGTERM")
  return holds
}

// The SDK's client over HTTP lets listeners gather on one signal until they are collected, which Node tells line by line.
process.removeAllListeners("warning")

const held = [await overStdio(), await overHttp()]
rmSync(folder, { recursive: true })
process.exitCode = held.every(Boolean) ? 0 : 1
