/**
 * `npm start`: ten tool calls of five agents under one policy, for two callers, then a script under the same policy.
 * It reads recorded payloads, maps each to an event, and fires it as `detent decide` does. It reaches no network, but
 * for the model where its key is set, and writes to a temporary folder only.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { createEngine, loadPolicy } from "detent/node"
import { painter } from "../../dist/cli/text/colour.js"
import { hookLine } from "../../dist/cli/text/hook.js"
import { brief, oneLine } from "../../dist/cli/text/plain.js"
import { wrap } from "../../dist/cli/text/wrap.js"
import { eventOf } from "./agents.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))
const shown = (file) => relative(process.cwd(), join(here, file))
const paint = painter(process.stdout.isTTY === true, process.env)
const width = Math.min(process.stdout.columns || 100, 120)
const print = (text = "", indent = "") => console.log(indent + wrap(text, width - indent.length, `${indent}  `))
const heading = (text) => {
  const rule = "─".repeat(Math.max(0, width - text.length - 4))
  console.log(`${paint("strong", `── ${text}`)} ${paint("faint", rule)}\n`)
}

const CALLERS = [
  { caller: { id: "dana", env: "dev" }, title: "Asked by dana, a developer" },
  { caller: { id: "deploy-bot", env: "prod" }, title: "The same calls, asked by deploy-bot in production" },
]

const temporary = mkdtempSync(join(tmpdir(), "detent-tour-"))
// Neither your own policy nor your settings have a say in the tour, and it leaves nothing behind.
const mine = Object.entries(process.env).filter(([name]) => !name.startsWith("DETENT_"))
const env = {
  ...Object.fromEntries(mine),
  XDG_CACHE_HOME: temporary,
  XDG_CONFIG_HOME: temporary,
  ACTIVITY_LOG: join(temporary, "activity.log"),
}

/** What a verdict holds, by the words of the sum at the end. */
const COUNTS = {
  refused: ({ outcome }) => outcome === "refuse",
  asked: ({ outcome }) => outcome === "ask",
  rewritten: ({ frames }) => frames.some((frame) => frame.changed),
  advised: ({ advice }) => advice.length > 0,
  lowered: ({ frames }) => frames.some((frame) => frame.requested),
  dropped: ({ frames }) => frames.some((frame) => frame.dropped),
  failed: ({ frames }) => frames.some((frame) => frame.failed),
}

const OUTCOMES = {
  refuse: () => paint("bad", "refused"),
  ask: () => paint("warning", "waits for a person"),
  continue: (from, to) => paint("good", JSON.stringify(from) === JSON.stringify(to) ? "goes on" : "goes on, rewritten"),
}

/** The texts that are another one now, by their path. What they were is not repeated: it may be a secret. */
function changes(from, to, path = []) {
  if (to === null || typeof to !== "object") return from === to ? [] : [[path.join("."), to]]
  return Object.keys(to).flatMap((key) => changes(from?.[key], to[key], [...path, key]))
}

/** One call: agent, tool, target and what becomes of it; a line for each hook; what was rewritten. */
function printCall(number, event, verdict) {
  const { server, tool, args, phase, result } = event
  const before = phase === "before"
  const [from, to] = before ? [args, verdict.input] : [result, verdict.result]
  const about = `${before ? "" : "result of "}${tool} ${paint("code", oneLine(args.command ?? args.file_path ?? ""))}`
  print(`${paint("strong", `${number} ${server}`)}: ${about} → ${OUTCOMES[verdict.outcome](from, to)}`)
  for (const frame of verdict.frames) print(hookLine(frame, paint), "  ")
  if (verdict.frames.length === 0) print(paint("faint", "no hook is concerned"), "  ")
  for (const [path, text] of changes(from, to)) print(`now ${path}: ${paint("code", brief(text))}`, "  ")
  print()
}

/** What is worth telling again of a call that another caller made: anything but the same frames. */
const sameStory = (a, b) => {
  const story = ({ outcome, frames }) => JSON.stringify([outcome, frames.map(({ durationMs: _, ...frame }) => frame)])
  return story(a) === story(b)
}

const calls = readdirSync(join(here, "calls")).sort()
const events = calls.map((name) => eventOf(JSON.parse(readFileSync(join(here, "calls", name), "utf8"))))
const { notices, ...policy } = await loadPolicy(join(here, "detent.yaml"), { env })
// Prompts ask the model where its key is set; else they are answered from a recording.
const isLive = Boolean(env[policy.model.apiKeyEnv])
const cassettes = { folder: join(here, "cassettes"), mode: "replay" }
const engine = await createEngine({ policy, env, ...(isLive ? {} : { cassettes }) })
const agents = new Set(events.map(({ agent }) => agent))

print(
  `${paint("strong", "Detent")}: ${calls.length} tool calls of ${agents.size} agents, as they arrive at their hooks, ` +
    `under one policy: ${shown("detent.yaml")}\n`,
)
for (const notice of notices) print(notice)
const { name, provider, apiKeyEnv } = policy.model
print(
  isLive
    ? `Its prompt hook asks ${name} at ${provider}, since ${apiKeyEnv} is set.\n`
    : `Its prompt hook is answered from a recording, since ${apiKeyEnv} is not set: no model is asked.\n`,
)

const verdicts = []
for (const { caller, title } of CALLERS) {
  heading(title)
  const row = []
  for (const [index, event] of events.entries()) {
    const verdict = await engine.fire(event.on, event.phase, event, { caller })
    row.push(verdict)
    const first = verdicts[0]?.[index]
    if (first === undefined || !sameStory(first, verdict)) printCall(index + 1, event, verdict)
  }
  const same = row.filter((verdict, index) => verdicts[0] && sameStory(verdicts[0][index], verdict)).length
  if (same > 0) print(`${paint("faint", `${same} others: as above`)}\n`)
  verdicts.push(row)
}
await engine.close()

heading("A script under the same policy")
const script = ["run", "--policy", shown("detent.yaml"), "--caller", "dana", shown("script.ts")]
print(paint("code", `$ npx detent ${script.join(" ")}`))
const bin = fileURLToPath(new URL("../../dist/bin.cjs", import.meta.url))
const artifacts = ["--artifacts", join(temporary, "artifacts")]
const ran = spawnSync(process.execPath, [bin, ...script.slice(0, 1), ...artifacts, ...script.slice(1)], {
  env,
  stdio: ["ignore", "inherit", "inherit"],
})
if (ran.status !== 0) process.exitCode = 1

print()
heading("In short")
const names = Object.keys(COUNTS)
console.log(`${"".padEnd(10)}${names.map((name) => `  ${name}`).join("")}`)
for (const [index, { caller }] of CALLERS.entries()) {
  const counts = names.map((name) => `${verdicts[index].filter(COUNTS[name]).length}`.padStart(name.length + 2))
  console.log(`${caller.id.padEnd(10)}${counts.join("")}`)
}
const log = readFileSync(env.ACTIVITY_LOG, "utf8").trimEnd().split("\n")
print(`\nThe observer wrote a line for each decision, ${log.length} in all. One of them:`)
print(`${paint("faint", log.find((line) => line.startsWith("refuse\tdana\tfs")).replaceAll("\t", "  "))}\n`, "  ")

heading("Try next")
const prod = `'${JSON.stringify(CALLERS[1].caller)}'`
const NEXT = [
  [`decide --policy ${shown("detent.yaml")} --event ${shown("events/01.json")} --hooks-autonomy off`, "a floor holds"],
  [`explain --policy ${shown("detent.yaml")} --caller ${prod}`, "what each hook may do, and what decides it"],
  [`test ${shown("")}`, "the golden cases of this policy"],
]
for (const [line, why] of NEXT) console.log(`  ${paint("faint", `# ${why}`)}\n  ${paint("code", `npx detent ${line}`)}`)

rmSync(temporary, { recursive: true, force: true })
