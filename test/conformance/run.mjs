/**
 * The official conformance suite, against the fixture server as it is and behind the gateway: the same score, check by check.
 *
 *     node test/conformance/run.mjs
 *
 * Ends with 1 where the fixture server fails a check, where the gateway loses one that it had, or where too few ran.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort, start, stopAll, untilListening } from "./processes.mjs"

/** Fewer than these, and the suite did not run as it should: 32 scenarios with 44 checks passed in 0.1.16. */
const SCENARIOS = 32
const CHECKS = 44

const HERE = fileURLToPath(new URL(".", import.meta.url))
const FIXTURE = fileURLToPath(new URL("../../fixtures/servers/conformance.mjs", import.meta.url))
const DETENT = fileURLToPath(new URL("../../dist/bin.cjs", import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), "conformance-"))

function install() {
  const changed = (file) => statSync(join(HERE, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  // npm writes this file last: older than the lock file means stale.
  if (changed("node_modules/.package-lock.json") > changed("package-lock.json")) return
  const { status } = spawnSync("npm", ["ci"], { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error("the conformance suite could not be installed")
}

/** Runs the suite; what each check said, by scenario: `{ "ping": { "ping": "SUCCESS" } }`. */
function scoreOf(name, url) {
  const out = join(scratch, name)
  const suite = join(HERE, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
  const args = [suite, "server", "--url", url, "--suite", "all", "-o", out]
  const { error } = spawnSync(join(HERE, "node_modules/node/bin/node"), args, { cwd: scratch, timeout: 120_000 })
  if (error) throw error
  const score = {}
  for (const folder of readdirSync(out)) {
    const [, scenario] = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder) ?? []
    const checks = JSON.parse(readFileSync(join(out, folder, "checks.json"), "utf8"))
    const told = checks.filter(({ status }) => status !== "INFO")
    score[scenario] = Object.fromEntries(told.map(({ id, status, errorMessage }) => [id, { status, errorMessage }]))
  }
  return score
}

const passed = (checks = {}) => Object.values(checks).filter(({ status }) => status === "SUCCESS").length
const total = (score) => Object.values(score).reduce((sum, checks) => sum + passed(checks), 0)

/** What is wrong with a score: failures, and what it has not that the bare server has. */
function faultsOf(name, score, bare) {
  const faults = []
  if (Object.keys(score).length < SCENARIOS)
    faults.push(`${name}: ${Object.keys(score).length} scenarios ran, not ${SCENARIOS}`)
  if (total(score) < CHECKS) faults.push(`${name}: ${total(score)} checks passed, not ${CHECKS}`)
  for (const [scenario, checks] of Object.entries(bare)) {
    for (const [id, { status }] of Object.entries({ ...checks, ...score[scenario] })) {
      const now = score[scenario]?.[id]
      const lost = status === "SUCCESS" && now?.status !== "SUCCESS"
      if (now?.status === "FAILURE" || lost) {
        faults.push(`${name}: ${scenario}: ${id}: ${now?.errorMessage ?? "not checked"}`)
      }
    }
  }
  return faults
}

/** The gateway in front of the fixture server, reached in the given way. */
async function gateway(name, entry) {
  const policy = join(scratch, `${name}.yaml`)
  writeFileSync(policy, JSON.stringify({ version: 1, servers: { fixture: entry } }))
  const port = await freePort()
  const args = [DETENT, "mcp", "--policy", policy, "--server", "fixture", "--port", String(port)]
  start(name, args, { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_RUNTIME_DIR: scratch })
  await untilListening(port)
  return `http://127.0.0.1:${port}/mcp`
}

const hasGateway = () =>
  /^ {2}mcp\b/m.test(spawnSync(process.execPath, [DETENT, "--help"], { encoding: "utf8" }).stdout)

async function main() {
  install()
  const url = await start("fixture", [FIXTURE, "--port", "0"]).line
  const scores = { bare: scoreOf("bare", url) }
  if (hasGateway()) {
    const node = { command: [process.execPath, FIXTURE, "--stdio"] }
    scores["over stdio"] = scoreOf("stdio", await gateway("stdio", node))
    scores["over HTTP"] = scoreOf("http", await gateway("http", { url }))
  } else console.log("the gateway is not in this build: the bare server alone")

  const row = (name, cells) => console.log(name.padEnd(32), ...cells.map((cell) => String(cell).padStart(10)))
  row("scenario", Object.keys(scores))
  for (const scenario of Object.keys(scores.bare).sort()) {
    row(
      scenario,
      Object.values(scores).map((score) => (score[scenario] ? passed(score[scenario]) : "-")),
    )
  }
  row("checks passed", Object.values(scores).map(total))
  const faults = Object.entries(scores).flatMap(([name, score]) => faultsOf(name, score, scores.bare))
  for (const fault of faults) console.error(fault)
  return faults.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} finally {
  await stopAll()
  rmSync(scratch, { recursive: true, force: true })
}
