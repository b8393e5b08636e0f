import { generateKeyPairSync } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { COMMANDS } from "../../cli/commands.ts"
import { openAudit } from "../../store/audit/store.ts"
import { ModelServer } from "../prompts/model-server.ts"
import { decision } from "../store/records.ts"
import { detent, EVENT, folderWith, lines, policy, type Ran, rule } from "./capture.ts"
import { start, startBeside } from "./process.ts"

const GOLDEN_CASE = `policy: { version: 1, hooks: [{ id: a, on: call, phase: before, rule: { refuse: "no" }, effect: ask }] }
event: { on: call, phase: before, server: s, tool: t }
`

/** A model that refuses all that it is asked. */
const server = await ModelServer.start({ text: '{"refuse":"said the model"}' })
afterAll(() => server.close())

/** A prompt that is answered by that model, unless flags say otherwise. */
const ASKING = JSON.stringify({
  version: 1,
  model: { provider: "openai", name: "m", baseUrl: server.baseUrl("openai") },
  hooks: ["call", "script"].map((on) => ({
    id: `asks-${on}`,
    on,
    phase: "before",
    effect: "ask",
    timeoutMs: 20_000,
    prompt: "Judge @args",
  })),
})

const FILES = {
  "asking.json": ASKING,
  "watching.json": policy(
    [
      { id: "asks", on: "call.", phase: "observe", prompt: "Judge @args" },
      { id: "breaks", on: "hook.", phase: "observe", run: ["false"] },
    ],
    { model: { provider: "openai", name: "m", baseUrl: server.baseUrl("openai") } },
  ),
  "p.json": policy([
    rule("a", { refuse: "no @caller.id" }, { when: { if: { "!=": [{ var: "caller.id" }, "friend"] } } }),
    rule("b", { advise: "x" }, { phase: "onError" }),
  ]),
  "served.json": JSON.stringify({ version: 1, servers: { files: { command: ["true"] } } }),
  "calls.mjs": "export default () => call('s/t', {})",
  "doubtful.json": policy([rule("a", { refuse: "no" }, { effect: "advise" })]),
  "rewrites.json": policy([rule("a", { apply: { merge: { command: "ls -l" } } })]),
  "elsewhere.json": { version: 1, "audit.folder": "/no/such/records" },
  "e.json": EVENT,
  "other.pem": generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(),
  "s.mjs": "log.info('ran'); artifact('a.txt', 'text'); export default 'result'",
  "cases/refuses.case.yaml": GOLDEN_CASE,
  "judged/some.eval.yaml": `policy: ../asking.json
hooks: [asks-call]
events:
  - name: one
    event: { on: call, phase: before, server: s, tool: t, args: { judged: true } }
    expect: none
`,
  "vix/hooks/asks/hook.json": {
    trigger: { event: "PreToolUse" },
    mode: "sync",
    prompt: "Is it good?",
    timeout: "20s",
  },
  "vix/hooks/bad/hook.json": "{",
  "codex.json": { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] } },
  "stop.json": { hook_event_name: "Stop" },
  "notice.json": { message: "from a file", cwd: "/" },
  "asked/live.case.yaml": `policy: ../asking.json\nevent: { on: call, phase: before, server: live, tool: t, args: { live: true } }\n`,
}

/** What a flag is tried with, and what must come of it that does not come without it. */
interface Trial {
  readonly words: readonly string[]
  readonly stdin?: string
  readonly shows: (ran: Ran, cwd: string) => boolean
}

const EVENT_FILE = ["--event", "e.json"]
const POLICY_FILE = ["--policy", "p.json"]
const out = (text: string | RegExp) => (ran: Ran) =>
  typeof text === "string" ? ran.out.includes(text) : text.test(ran.out)
const err = (text: string) => (ran: Ran) => ran.err.includes(text)

/** What is said when hooks are switched off. */
const switched = (words: readonly string[]): Record<string, Trial> => ({
  "features-hooks": {
    words: [...words, "--features-hooks", "false"],
    shows: err("switched off by `--features-hooks`"),
  },
})

/** The flags that every command with a policy, and an event, has. */
const moment = (words: readonly string[]): Record<string, Trial> => ({
  ...switched([...words, ...POLICY_FILE, ...EVENT_FILE]),
  policy: { words: [...words, ...EVENT_FILE, ...POLICY_FILE], shows: out('no \\"local\\"') },
  event: { words: [...words, ...POLICY_FILE, ...EVENT_FILE], shows: out('"path":"a.txt"') },
  caller: { words: [...words, ...POLICY_FILE, ...EVENT_FILE, "--caller", "friend"], shows: (ran) => ran.code === 0 },
  "autonomy-max": {
    words: [...words, ...POLICY_FILE, ...EVENT_FILE, "--autonomy-max", "advise"],
    shows: out("--autonomy-max"),
  },
  "hooks-autonomy": {
    words: [...words, ...POLICY_FILE, ...EVENT_FILE, "--hooks-autonomy", "advise"],
    shows: out("--hooks-autonomy"),
  },
  format: { words: [...words, ...POLICY_FILE, ...EVENT_FILE, "--format", "json"], shows: out(/^[[{]\n/) },
})

/** The flags that say whose settings are meant. */
const ofSettings = (words: readonly string[]): Record<string, Trial> => ({
  policy: { words: [...words, "--policy", "gone.json"], shows: err("`gone.json` is not there") },
  "autonomy-max": { words: [...words, "--autonomy-max", "ask"], shows: out("--autonomy-max") },
  "hooks-autonomy": { words: [...words, "--hooks-autonomy", "ask"], shows: out("--hooks-autonomy") },
  "features-hooks": { words: [...words, "--features-hooks", "false"], shows: err("--features-hooks") },
  daemon: { words: [...words, "--daemon"], shows: err("no daemon answers") },
  socket: { words: [...words, "--socket", "none.sock"], shows: err("none.sock") },
  format: { words: [...words, "--format", "json"], shows: out(/^[[{]\n/) },
})

const line = (name: string, words: readonly string[]): Trial => ({
  words: [...words, `--${name}`, "console.log('from the flag')"],
  shows: out("from the flag"),
})

const script = (words: readonly string[], failing: readonly string[]): Record<string, Trial> => ({
  ...switched(words),
  policy: { words: [...words, "--policy", "gone.json"], shows: err("`gone.json` is not there") },
  remote: { words: [...words, "--remote", "--socket", "none.sock"], shows: err("no daemon answers") },
  socket: { words: [...words, "--remote", "--socket", "none.sock"], shows: err("none.sock") },
  ...Object.fromEntries(["before", "prefix", "on-success", "suffix"].map((name) => [name, line(name, words)])),
  "on-error": line("on-error", failing),
  "autonomy-max": {
    words: [...words, "--autonomy-max", "ask", "--hooks-autonomy", "run"],
    shows: err("(--autonomy-max)"),
  },
  "hooks-autonomy": {
    words: [...words, "--autonomy-max", "ask", "--hooks-autonomy", "run"],
    shows: err("(--hooks-autonomy)"),
  },
  caller: { words: [...words, "--caller", "{}"], shows: err("the caller has no `id`") },
  delivery: { words: [...words, "--format", "ndjson", "--delivery", "stream"], shows: out("artifact.chunk") },
  artifacts: { words: [...words, "--artifacts", "made"], shows: (_, cwd) => existsSync(join(cwd, "made", "a.txt")) },
  format: { words: [...words, "--format", "json"], shows: out('"exitCode": 0') },
})

/** What the model has last received. */
const sent = () => server.received.at(-1)

/** The flags of models: each is seen in what is sent, or in whether something is. */
const asking = (words: readonly string[], file = "asking.json"): Record<string, Trial> => {
  const trial = (name: string, value: string, shows: Trial["shows"], ...more: string[]): [string, Trial] => [
    name,
    { words: [...words, "--policy", file, `--${name}`, value, ...more], shows },
  ]
  return Object.fromEntries([
    // Another provider starts anew: the address of the first one's server is not handed on to it.
    trial("model-provider", "anthropic", () => sent()!.path === "/v1/messages", "--model-base-url", server.origin),
    trial("model-name", "other", () => sent()!.body.model === "other"),
    trial("model-base-url", `${server.origin}/elsewhere`, () => sent()!.path === "/elsewhere/chat/completions"),
    trial("model-api-key-env", "NO_SUCH_VARIABLE", (ran) => `${ran.out}${ran.err}`.includes("NO_SUCH_VARIABLE")),
    trial("model-temperature", "0.5", () => sent()!.body.temperature === 0.5),
    trial("model-max-tokens", "77", () => sent()!.body.max_tokens === 77),
    trial("model-seed", "5", () => sent()!.body.seed === 5),
    trial("model-stream", "true", () => sent()!.body.stream === true),
    ...(words[0] === "eval"
      ? []
      : [trial("model-cache-ms", "0.5", err("`model.cacheMs` must be a whole number of milliseconds"))]),
    trial("model-concurrency", "0", err("`model.concurrency` must be above 0")),
    ...(words[0] === "eval"
      ? []
      : [
          trial("cassettes", "no-recordings", (ran) => `${ran.out}${ran.err}`.includes("no recording of this request")),
        ]),
  ])
}

const formatted = (words: readonly string[]): Trial => ({
  words: [...words, "--format", "json"],
  shows: out(/^[[{]\n/),
})

/** What comes of these where they are right is seen in recording.test.ts. */
const recording = (words: readonly string[], ...long: readonly "long"[]): Record<string, Trial> => {
  const trials = {
    folder: ["records", "must be an absolute path"],
    required: ["maybe", "known are true, false"],
    redact: ["secret", "must be a path into a row"],
    ...(long.length === 0
      ? {}
      : { "keep-days": ["0", "must be above 0"], "keep-rows": ["0.5", "must be a whole number"] }),
  } as const
  return Object.fromEntries(
    Object.entries(trials).map(([name, [value, said]]) => [
      `audit-${name}`,
      { words: [...words, `--audit-${name}`, value], shows: err(said) },
    ]),
  )
}

const confirming = (words: readonly string[]): Trial => ({
  words: [...words.slice(0, 1), "--elicit-confirm-destructive", "true", ...words.slice(1)],
  shows: err("`s/t` may destroy something"),
})

/** What Claude Code sends before a tool runs, and Codex. */
const ofClaude = JSON.stringify({
  session_id: "s",
  transcript_path: "/t.jsonl",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
})
const ofCodex = JSON.stringify({ ...JSON.parse(ofClaude), turn_id: "t", model: "m" })

const hooked = (trials: Readonly<Record<string, Trial>>): Record<string, Trial> =>
  Object.fromEntries(
    Object.entries(trials).map(([name, trial]) => [
      name,
      { stdin: ofClaude, ...trial, words: ["hook", "claude-code", ...trial.words] },
    ]),
  )

/** A record of three decisions, made for the trials of these commands. */
const RECORD = ["--folder", "record"]

async function recordIn(cwd: string): Promise<void> {
  const audit = await openAudit(join(cwd, "record"))
  for (let at = 1; at <= 3; at++) await audit.append(decision(at))
  await audit.close()
}

/** A policy says which record is meant. */
const named = (words: readonly string[]): Trial => ({
  words: [...words, "--policy", "elsewhere.json"],
  shows: err("/no/such/records"),
})

/** The numbers of the rows that are printed. */
const only =
  (...seqs: readonly number[]) =>
  (ran: Ran) =>
    JSON.stringify(lines(ran.out).flatMap(({ seq }) => seq ?? [])) === JSON.stringify(seqs)

/** Flags that say which rows are meant. */
const asked = (words: readonly string[]): Record<string, Trial> => {
  const trial = (name: string, value: string, ...seqs: number[]): [string, Trial] => [
    name,
    { words: [...words, ...RECORD, `--${name}`, value], shows: only(...seqs) },
  ]
  return Object.fromEntries([
    trial("outcome", "refuse"),
    trial("hook", "h2", 2),
    trial("caller", "ann", 1, 3),
    trial("tool", "fs/write_file", 3),
    trial("since", "2999-01-01"),
    trial("until", "2000-01-01"),
    trial("last", "2", 2, 3),
    ["folder", { words: [...words, ...RECORD], shows: only(1, 2, 3) }],
  ])
}

/** An event on the bus, as observers get it. */
const happened = (type: string): string => `${JSON.stringify({ type, server: "s", tool: "t", args: {} })}\n`

const observing = (trials: Readonly<Record<string, Trial>>): Record<string, Trial> =>
  Object.fromEntries(
    Object.entries(trials).map(([name, trial]) => [
      name,
      { stdin: happened("call.finished"), ...trial, words: ["hook", "observe", ...trial.words] },
    ]),
  )

const VIX_DIR = ["--dir", "vix/hooks"]
const ENVELOPE = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "bash", tool_input: { command: "ls" } })

/** The flags of commands that run a vix folder's hooks, besides those of their own. */
const vix = (words: readonly string[]): Record<string, Trial> => ({
  ...recording([...words, ...VIX_DIR]),
  ...asking([...words, ...VIX_DIR]),
  ...switched([...words, ...VIX_DIR]),
  dir: { words: [...words, ...VIX_DIR], shows: err("hook.json` is skipped") },
  policy: { words: [...words, ...VIX_DIR, "--policy", "gone.json"], shows: err("`gone.json` is not there") },
  ...Object.fromEntries(
    ["autonomy-max", "hooks-autonomy"].map((name) => [
      name,
      {
        words: [...words, ...VIX_DIR, "--autonomy-max", "ask", "--hooks-autonomy", "run"],
        shows: err(`(--${name})`),
      },
    ]),
  ),
})

const TRIALS: Readonly<Record<keyof typeof COMMANDS, Readonly<Record<string, Trial>>>> = {
  check: {
    strict: { words: ["check", "--strict", "doubtful.json"], shows: (ran) => ran.code === 1 },
    format: formatted(["check", "doubtful.json"]),
  },
  decide: {
    ...moment(["decide"]),
    "elicit-confirm-destructive": {
      words: ["decide", ...POLICY_FILE, ...EVENT_FILE, "--caller", "friend", "--elicit-confirm-destructive", "true"],
      shows: out("`fs/write_file` may destroy something"),
    },
    ...asking(["decide", ...EVENT_FILE]),
    ...recording(["decide", ...POLICY_FILE, ...EVENT_FILE]),
  },
  run: {
    ...script(["run", "s.mjs"], ["run", "cases/refuses.case.yaml"]),
    ...asking(["run", "--format", "ndjson", "s.mjs"]),
    ...recording(["run", "s.mjs"]),
    "elicit-confirm-destructive": confirming(["run", "calls.mjs"]),
  },
  exec: {
    ...script(["exec", "log.info('ran'); artifact('a.txt', 'text'); return 1"], ["exec", "throw new Error('x')"]),
    ...asking(["exec", "--format", "ndjson", "return 1"]),
    ...recording(["exec", "return 1"]),
    "elicit-confirm-destructive": confirming(["exec", "return call('s/t', {})"]),
  },
  call: {
    ...asking(["call", "fs/read", "{}"]),
    ...switched(["call", "s/t"]),
    ...recording(["call", "s/t"]),
    policy: { words: ["call", ...POLICY_FILE, "s/t"], shows: (ran) => ran.err.includes('no "local"') },
    caller: { words: ["call", ...POLICY_FILE, "--caller", "friend", "s/t"], shows: err("has no server `s`") },
    "autonomy-max": {
      words: ["call", ...POLICY_FILE, "--autonomy-max", "advise", "s/t"],
      shows: err("--autonomy-max"),
    },
    "hooks-autonomy": {
      words: ["call", ...POLICY_FILE, "--hooks-autonomy", "advise", "s/t"],
      shows: err("--hooks-autonomy"),
    },
    format: { words: ["call", ...POLICY_FILE, "--format", "ndjson", "s/t"], shows: out('"exitCode":2') },
    "elicit-confirm-destructive": confirming(["call", ...POLICY_FILE, "--caller", "friend", "s/t"]),
  },
  mcp: {
    ...switched(["mcp"]),
    ...recording(["mcp", "--policy", "served.json"], "long"),
    policy: { words: ["mcp", "--policy", "gone.json"], shows: err("`gone.json` is not there") },
    server: { words: ["mcp", "--policy", "served.json", "--server", "f"], shows: err("has no server `f`") },
    port: { words: ["mcp", "--policy", "served.json", "--port", "70000"], shows: err("`70000`") },
    frames: { words: ["mcp", "--policy", "served.json", "--frames", "no/such/f"], shows: err("`no/such/f`") },
    caller: { words: ["mcp", "--caller", "{}"], shows: err("the caller has no `id`") },
    "autonomy-max": {
      words: ["mcp", "--autonomy-max", "ask", "--hooks-autonomy", "run"],
      shows: err("(--autonomy-max)"),
    },
    "hooks-autonomy": {
      words: ["mcp", "--autonomy-max", "ask", "--hooks-autonomy", "run"],
      shows: err("(--hooks-autonomy)"),
    },
    // Their effect is seen through a client: test/mcp/gateway.test.ts.
    "elicit-confirm-destructive": {
      words: ["mcp", "--elicit-confirm-destructive", "x"],
      shows: err("known are true, false"),
    },
    "mcp-exec": { words: ["mcp", "--mcp-exec", "x"], shows: err("known are true, false") },
    "mcp-approvals": { words: ["mcp", "--mcp-approvals", "x"], shows: err("known are true, false") },
  },
  // A daemon that runs would never end the trial: that each value arrives is seen in what is said of a wrong one.
  serve: {
    ...recording(["serve"], "long"),
    policy: { words: ["serve", "--policy", "gone.json"], shows: err("`gone.json` is not there") },
    socket: { words: ["serve", "--socket", "e.json"], shows: err("is no socket") },
    port: { words: ["serve", "--port", "x"], shows: err("`serve.port` must be a port") },
    origins: { words: ["serve", "--origins", "http://a/b"], shows: err("`serve.origins` must be") },
    ...Object.fromEntries(
      Object.entries({
        "autonomy-max": "most",
        "features-hooks": "maybe",
        "hooks-autonomy": "most",
        "elicit-confirm-destructive": "maybe",
        "log-level": "loud",
        "log-format": "pretty",
        "approvals-timeout-ms": "0",
        "model-provider": "nobody",
        "model-name": "",
        "model-base-url": "nowhere",
        "model-api-key-env": "",
        "model-temperature": "9",
        "model-max-tokens": "0.5",
        "model-seed": "0.5",
        "model-stream": "maybe",
        "model-cache-ms": "0.5",
        "model-concurrency": "0",
      }).map(([name, value]) => [
        name,
        {
          words: ["serve", `--${name}=${value}`],
          shows: (ran: Ran) =>
            ran.code === 1 && (ran.err.includes(`--${name}`) || ran.err.includes(`unknown level \`${value}\``)),
        },
      ]),
    ),
  },
  test: {
    update: {
      words: ["test", "cases", "--update"],
      shows: (_, cwd) => existsSync(join(cwd, "cases", "refuses.golden.ndjson")),
    },
    live: {
      words: ["test", "asked", "--live"],
      shows: () => sent()!.body.messages.at(-1).content.includes("live"),
    },
    coverage: { words: ["test", "cases", "--coverage"], shows: out("cover") },
    watch: { words: ["help", "test"], shows: out("--watch") },
    reporter: { words: ["test", "cases", "--reporter", "junit"], shows: out("<testsuites") },
    format: formatted(["test", "cases"]),
  },
  eval: {
    ...asking(["eval", "judged", "--live"]),
    policy: { words: ["eval", "judged", "--live", "--policy", "p.json"], shows: err("no prompt hook") },
    "model-api-key-env": {
      words: ["eval", "judged", "--live", "--model-api-key-env", "NO_SUCH_VARIABLE"],
      shows: out("1 answers failed"),
    },
    live: { words: ["eval", "judged", "--live"], shows: () => sent()!.body.messages.at(-1).content.includes("judged") },
    update: {
      words: ["eval", "judged", "--live", "--update"],
      shows: (_, cwd) => existsSync(join(cwd, "judged", "some.cassettes")),
    },
    samples: { words: ["eval", "judged", "--live", "--samples", "2"], shows: out("in different samples") },
    against: { words: ["eval", "judged", "--live", "--against", "other"], shows: out("m and other say the same") },
    adversarial: { words: ["eval", "judged", "--adversarial"], shows: out("hostile answers") },
    "fail-under": { words: ["eval", "judged", "--live", "--fail-under", "50"], shows: (ran) => ran.code === 1 },
    "autonomy-max": { words: ["eval", "judged", "--live", "--autonomy-max", "off"], shows: out("skipped") },
    "hooks-autonomy": { words: ["eval", "judged", "--live", "--hooks-autonomy", "off"], shows: out("skipped") },
    format: formatted(["eval", "judged", "--live"]),
  },
  explain: {
    ...moment(["explain"]),
    event: { words: ["explain", ...POLICY_FILE, ...EVENT_FILE, "--format", "json"], shows: out('"matches": true') },
    caller: {
      words: ["explain", ...POLICY_FILE, ...EVENT_FILE, "--caller", "friend", "--format", "json"],
      shows: (ran) => !ran.out.includes('"matches": true'),
    },
    policy: { words: ["explain", ...POLICY_FILE], shows: out("p.json") },
    host: { words: ["explain", ...POLICY_FILE, "--host", "advise"], shows: out("host") },
  },
  points: { format: formatted(["points"]) },
  schema: { format: formatted(["schema", "policy"]) },
  settings: ofSettings(["settings"]),
  "settings get": ofSettings(["settings", "get", "hooks.autonomy"]),
  "settings explain": ofSettings(["settings", "explain", "hooks.autonomy"]),
  "settings set": {
    project: {
      words: ["settings", "set", "log.level", "debug", "--project"],
      shows: (_, cwd) => existsSync(join(cwd, "detent.yaml")),
    },
    policy: { words: ["settings", "set", "log.level", "debug", ...POLICY_FILE], shows: out("p.json") },
    daemon: { words: ["settings", "set", "log.level", "debug", "--daemon"], shows: err("no daemon answers") },
    socket: { words: ["settings", "set", "log.level", "debug", "--socket", "none.sock"], shows: err("none.sock") },
    format: { words: ["settings", "set", "log.level", "debug", "--format", "json"], shows: out('"after": "debug"') },
  },
  boundaries: { format: formatted(["boundaries"]) },
  "hooks list": {
    ...switched(["hooks", "list", ...POLICY_FILE]),
    policy: { words: ["hooks", "list", ...POLICY_FILE], shows: out("p.json") },
    "autonomy-max": { words: ["hooks", "list", ...POLICY_FILE, "--autonomy-max", "ask"], shows: out("--autonomy-max") },
    "hooks-autonomy": {
      words: ["hooks", "list", ...POLICY_FILE, "--hooks-autonomy", "ask"],
      shows: out("--hooks-autonomy"),
    },
    format: formatted(["hooks", "list", ...POLICY_FILE]),
  },
  hook: hooked({
    ...switched(POLICY_FILE),
    policy: { words: POLICY_FILE, shows: out('no \\"claude-code\\"') },
    caller: { words: [...POLICY_FILE, "--caller", "ci"], shows: out('no \\"ci\\"') },
    event: { words: [...POLICY_FILE, "--event", "Stop"], shows: err("says `PreToolUse`, and `--event` says `Stop`") },
    "on-failure": {
      words: ["--policy", "gone.json", "--on-failure", "open"],
      shows: (ran) => !ran.out.includes("deny"),
    },
    "rewrite-grants": {
      words: ["--policy", "rewrites.json", "--rewrite-grants"],
      shows: out('"permissionDecision":"allow"'),
      stdin: ofCodex,
    },
    timeout: { words: [...POLICY_FILE, "--timeout", "0"], shows: err("must be a number of seconds above 0") },
    remote: { words: ["--remote"], shows: err("no daemon answers") },
    socket: { words: ["--remote", "--socket", "none.sock"], shows: err("none.sock") },
    "autonomy-max": {
      words: [...POLICY_FILE, "--autonomy-max", "advise", "--hooks-autonomy", "run"],
      shows: out("dropped, since autonomy.max (--autonomy-max) is lower"),
    },
    "hooks-autonomy": {
      words: [...POLICY_FILE, "--hooks-autonomy", "advise"],
      shows: out("dropped, since hooks.autonomy (--hooks-autonomy) is lower"),
    },
    "elicit-confirm-destructive": {
      words: [...POLICY_FILE, "--caller", "friend", "--elicit-confirm-destructive", "true"],
      shows: out("`claude-code/Bash` may destroy something"),
    },
    ...asking([]),
    ...recording([]),
  }),
  doctor: {
    agent: { words: ["doctor", "--agent", "codex"], shows: out('"agent":"codex"') },
    live: { words: ["doctor", "--agent", "codex", "--live"], shows: (ran) => !ran.err.includes("nothing was tried") },
    format: { words: ["doctor", "--agent", "codex", "--format", "text"], shows: out("codex: ") },
  },
  "hook run": {
    event: { words: ["hook", "run", "codex", "--event", "Stopp", "--", "true"], shows: err("did you mean `Stop`?") },
  },
  import: {
    out: {
      words: ["import", "vix", "vix/hooks", "--command", "d", "--out", "made.yaml"],
      shows: (_, cwd) => existsSync(join(cwd, "made.yaml")),
    },
    command: {
      words: ["import", "codex", "codex.json", "--command", "my detent"],
      shows: out('run: ["my","detent","hook","run"'),
    },
  },
  init: {
    agent: { words: ["init", "--agent", "codex"], shows: out(".codex/hooks.json") },
    remove: {
      words: ["init", "--agent", "gemini", "--remove", "--yes"],
      shows: (ran, cwd) => ran.code === 0 && !existsSync(join(cwd, ".gemini")),
    },
    project: { words: ["init", "--agent", "codex", "--project", "--user"], shows: err("are both given") },
    user: { words: ["init", "--agent", "codex", "--user"], shows: out("home/.codex/hooks.json") },
    yes: {
      words: ["init", "--agent", "codex", "--yes", "--command", "detent"],
      shows: (_, cwd) => existsSync(join(cwd, ".codex/hooks.json")),
    },
    policy: { words: ["init", "--agent", "codex", "--policy", "p.json"], shows: out(/--policy \/\S+\/p\.json /) },
    command: { words: ["init", "--agent", "codex", "--command", "detent"], shows: out('"detent hook codex ') },
    thin: { words: ["init", "--agent", "codex", "--thin", "--command", "detent"], shows: out("/hook.sh hook codex ") },
    socket: {
      words: ["init", "--agent", "codex", "--thin", "--command", "detent", "--socket", "other.sock"],
      shows: out(/socket=\/.*other\.sock/),
    },
  },
  "hook test": {
    ...moment(["hook", "test", "a"]),
    host: { words: ["hook", "test", "a", ...POLICY_FILE, ...EVENT_FILE, "--host", "advise"], shows: out('"host"') },
    ...asking(["hook", "test", "asks-call", ...EVENT_FILE]),
  },
  events: {
    kinds: { words: ["events", "--kinds"], shows: out("hook.failed") },
    from: { words: ["events", "--from", "x", "--socket", "none.sock"], shows: err("none.sock") },
    socket: { words: ["events", "--socket", "none.sock"], shows: err("none.sock") },
    format: formatted(["events", "--kinds"]),
  },
  // What the daemon makes of these is seen in test/daemon.
  approvals: {
    state: { words: ["approvals", "--state", "none"], shows: err("--state") },
    socket: { words: ["approvals", "--socket", "none.sock"], shows: err("none.sock") },
    format: { words: ["approvals", "--format", "none"], shows: err("--format") },
  },
  "caller add": {
    scope: { words: ["caller", "add", "ci", "--scope", "read"], shows: out('"scopes":["read"]') },
    autonomy: { words: ["caller", "add", "ci", "--autonomy", "ask"], shows: out('"autonomy":"ask"') },
    env: { words: ["caller", "add", "ci", "--env", "prod"], shows: out('"env":"prod"') },
    description: { words: ["caller", "add", "ci", "--description", "builds"], shows: out('"description":"builds"') },
    format: formatted(["caller", "add", "ci"]),
  },
  "caller list": { format: { words: ["caller", "list", "--format", "json"], shows: out("[]") } },
  "caller revoke": {},
  "audit list": {
    ...asked(["audit", "list"]),
    policy: named(["audit", "list"]),
    format: formatted(["audit", "list", ...RECORD]),
  },
  "audit show": {
    folder: { words: ["audit", "show", "1", ...RECORD], shows: out('"seq":1') },
    policy: named(["audit", "show", "1"]),
    format: formatted(["audit", "show", "1", ...RECORD]),
  },
  "audit verify": {
    policy: named(["audit", "verify"]),
    folder: { words: ["audit", "verify", ...RECORD], shows: out('"ok":true') },
    key: { words: ["audit", "verify", ...RECORD, "--key", "other.pem"], shows: out("of a key that is not known") },
    against: { words: ["audit", "verify", ...RECORD, "--against", "p.json"], shows: err("is no signed export") },
    format: formatted(["audit", "verify", ...RECORD]),
  },
  "audit export": {
    ...asked(["audit", "export"]),
    policy: named(["audit", "export"]),
    anyway: { words: ["audit", "export", ...RECORD, "--anyway"], shows: err("is not signed (`--anyway`)") },
  },
  "audit key": {
    folder: { words: ["audit", "key", ...RECORD], shows: out("BEGIN PUBLIC KEY") },
    policy: named(["audit", "key"]),
  },
  "audit prune": {
    policy: named(["audit", "prune", "--rows", "1"]),
    folder: { words: ["audit", "prune", "--rows", "9", ...RECORD], shows: out('{"rows":0}') },
    before: { words: ["audit", "prune", "--before", "9999-01-01", ...RECORD], shows: out('{"rows":3,') },
    rows: { words: ["audit", "prune", "--rows", "1", ...RECORD], shows: out('{"rows":2,') },
    // What it lets through is seen in audit.test.ts.
    anyway: { words: ["audit", "prune", "--rows", "1", "--anyway", ...RECORD], shows: out('{"rows":2,') },
    format: formatted(["audit", "prune", "--rows", "1", ...RECORD]),
  },
  "hook vix": {
    ...vix(["hook", "vix"]),
    "on-failure": { words: ["hook", "vix", "--on-failure", "closed"], stdin: "{", shows: (ran) => ran.code === 2 },
    "elicit-confirm-destructive": {
      words: ["hook", "vix", ...VIX_DIR, "--elicit-confirm-destructive", "true"],
      shows: out("`vix/bash` may destroy something"),
    },
  },
  "hook observe": observing({
    policy: { words: ["--policy", "gone.json"], shows: err("`gone.json` is not there") },
    log: {
      words: ["--policy", "watching.json", "--log", "told"],
      stdin: happened("hook.failed"),
      shows: ({ err }, cwd) => err === "" && readFileSync(join(cwd, "told"), "utf8").includes("`breaks` failed"),
    },
    ...Object.fromEntries(
      ["autonomy-max", "hooks-autonomy"].map((name) => [
        name,
        { words: ["--autonomy-max", "ask", "--hooks-autonomy", "run"], shows: err(`(--${name})`) },
      ]),
    ),
    ...switched(["--policy", "watching.json"]),
    ...asking([], "watching.json"),
  }),
  "hook trigger": {
    ...vix(["hook", "trigger", "asks"]),
    event: {
      words: ["hook", "trigger", "asks", ...VIX_DIR, "--event", "stop.json", "--format", "ndjson"],
      stdin: "",
      shows: out('"event":"Stop"'),
    },
    format: formatted(["hook", "trigger", "asks", ...VIX_DIR]),
  },
  "hook list": {
    dir: { words: ["hook", "list", ...VIX_DIR], shows: out('"id":"asks"') },
    format: formatted(["hook", "list", ...VIX_DIR]),
  },
  "thread create": {
    json: { words: ["thread", "create", "--json", '{"message":"m","cwd":"/"}'], shows: out('"id"') },
    file: { words: ["thread", "create", "--file", "notice.json"], shows: out('"id"') },
    "socket-path": {
      words: ["thread", "create", "--file", "notice.json", "--socket-path", "gone.sock"],
      shows: err("nobody listens at `gone.sock`"),
    },
    format: {
      words: ["thread", "create", "--file", "notice.json", "--format", "text"],
      shows: out(/^[\da-f-]{36}\n$/),
    },
  },
  threads: {
    unread: { words: ["threads", "--unread", "--format", "json"], shows: out("[]") },
    format: { words: ["threads", "--format", "json"], shows: out("[]") },
  },
  trust: { format: formatted(["trust", "p.json"]) },
  completion: {},
  help: {},
}

const trials = Object.entries(TRIALS).flatMap(([command, flags]) =>
  Object.entries(flags).map(([flag, trial]) => [command, flag, trial] as const),
)

describe("every flag does what it says", () => {
  it("and none of the table is forgotten here", () => {
    for (const [command, { flags }] of Object.entries(COMMANDS)) {
      const tried = [...Object.keys(TRIALS[command as keyof typeof TRIALS]), "help"].sort()
      expect({ command, flags: flags.map(({ name }) => name).sort() }).toEqual({ command, flags: tried })
    }
  })

  it.each(trials)("%s --%s", async (command, _, { words, stdin = ENVELOPE, shows }) => {
    const cwd = folderWith(FILES)
    if (command.startsWith("audit ")) await recordIn(cwd)
    // A script's output is its own process's, so these two run as processes.
    const isScript = command === "run" || command === "exec"
    const ran = await (isScript ? startBeside(words, { cwd }) : detent(words, { cwd, stdin }))
    expect({ ...ran, shows: shows(ran, cwd) }).toMatchObject({ shows: true })
  })

  it.each(Object.keys(COMMANDS))("%s --help", async (command) => {
    expect((await detent([...command.split(" "), "--help"])).out).toContain(`detent ${command}`)
  })
})

it("a long spelling says the same as the short one", () => {
  for (const name of ["before", "prefix", "on-success", "suffix"]) {
    const { words, shows } = line(`script-${name}`, ["exec", "1"])
    const cwd = folderWith()
    expect(shows(start(words, { cwd }), cwd)).toBe(true)
  }
})

it("lines of NDJSON are documents of their own", async () => {
  const cwd = folderWith(FILES)
  expect(lines((await detent(["hooks", "list", ...POLICY_FILE], { cwd })).out)).toHaveLength(2)
})
