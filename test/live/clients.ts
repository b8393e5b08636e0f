import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { SETUPS } from "../../dialects/setup/places.ts"
import { BIN } from "../cli/process.ts"
import { ScriptedModel, type Wish } from "./model.ts"

/** A coding agent as its makers ship it: how it is led to our model and asked something. */
export interface Client {
  /** the name that `detent init` and `detent hook` take */
  readonly agent: string
  readonly program: string
  /** the call of its shell that the model wants */
  readonly wish: (command: string) => Wish
  readonly words: (prompt: string) => readonly string[]
  readonly env?: (origin: string, home: string) => Readonly<Record<string, string>>
  /** files by path, below the test's folder */
  readonly files?: (origin: string, folder: string) => Readonly<Record<string, unknown>>
}

const described = (command: string) => ({ command, description: "write a file" })

export const CLIENTS: readonly Client[] = [
  {
    agent: "claude-code",
    program: "claude",
    wish: (command) => ({ tool: "Bash", input: described(command) }),
    words: (prompt) => ["-p", prompt, "--permission-mode", "bypassPermissions"],
    env: (origin) => ({
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: "none",
      // It lets nobody but a sandbox's root skip its questions.
      IS_SANDBOX: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    agent: "codex",
    program: "codex",
    wish: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    words: (prompt) => [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
      ...["--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins", "--disable", "apps"],
      ...["-c", "check_for_update_on_startup=false", prompt],
    ],
    env: (_, home) => ({ MODEL_KEY: "none", CODEX_HOME: join(home, ".codex") }),
    files: (origin, folder) => ({
      "home/.codex/config.toml": `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."${folder}/project"]
trust_level = "trusted"
[analytics]
enabled = false
`,
    }),
  },
  {
    agent: "gemini",
    program: "gemini",
    wish: (command) => ({ tool: "run_shell_command", input: described(command) }),
    words: (prompt) => ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", prompt],
    env: (origin) => ({
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: origin,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    files: () => ({
      "home/.gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      },
    }),
  },
  {
    agent: "copilot",
    program: "copilot",
    wish: (command) => ({ tool: "bash", input: described(command) }),
    words: (prompt) => ["--no-color", "--no-auto-update", "--allow-all-tools", "--allow-all-paths", "-p", prompt],
    env: (origin) => ({
      COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
    files: (_, folder) => ({ "home/.copilot/config.json": { trusted_folders: [`${folder}/project`] } }),
  },
  {
    agent: "opencode",
    program: "opencode",
    wish: (command) => ({ tool: "bash", input: described(command) }),
    words: (prompt) => ["run", prompt],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    }),
    files: (origin) => ({
      "project/opencode.json": {
        autoupdate: false,
        share: "disabled",
        model: "scripted/scripted",
        small_model: "scripted/scripted",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${origin}/v1`, apiKey: "none" },
            models: { scripted: { tool_call: true, limit: { context: 100_000, output: 4000 } } },
          },
        },
        permission: { bash: "allow", edit: "allow", external_directory: "allow" },
      },
    }),
  },
]

/** Where agents are looked for: a folder that they were installed into, then the path. */
export const PLACE = "DETENT_CLIENTS"

/** An agent's program; undefined where it is not installed. */
export function programOf({ program }: Client): string | undefined {
  const { [PLACE]: folder, PATH = "" } = process.env
  const folders = folder === undefined ? PATH.split(delimiter) : [join(folder, "node_modules", ".bin"), folder]
  return folders.map((one) => join(one, program)).find((path) => existsSync(path))
}

/** What was seen of one run of an agent. */
export interface Seen {
  /** what the shell has written; undefined: it did not run */
  readonly written: string | undefined
  /** all that the model was asked */
  readonly asked: readonly string[]
  /** what the agent said to its user */
  readonly said: string
}

const LIMIT_MS = 90_000

/** What stands in front of an agent. */
export interface Front {
  readonly policy: object
  /** whether the operator lets replacements through where the agent takes them for a grant */
  readonly grants?: boolean
}

/** What the model's command prints, and what is nowhere in the command itself. */
export const PRINTED = "42000"

/** Lets an agent, with Detent in front of it, answer one prompt: its model wants a command that writes and prints. */
export async function live(client: Client, program: string, folder: string, front: Front): Promise<Seen> {
  const out = join(folder, "out")
  const home = join(folder, "home")
  const project = join(folder, "project")
  const model = await ScriptedModel.start(client.wish(`echo original > ${out} && expr 41999 + 1`))
  try {
    put(join(home, ".keep"), "")
    const files = { "project/detent.json": front.policy, ...client.files?.(model.origin, folder) }
    for (const [name, content] of Object.entries(files)) put(join(folder, name), content)
    const env = environmentOf(client, model.origin, home)
    spawnSync("git", ["init", "-q"], { cwd: project, env })
    init(client, project, env, front.grants === true)
    const said = await ran(program, client.words("Write the file."), project, env)
    const written = existsSync(out) ? readFileSync(out, "utf8").trim() : undefined
    return { written, asked: model.asked, said }
  } finally {
    await model.close()
  }
}

function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
}

/** A home of its own, and no way out but to the model. */
function environmentOf(client: Client, origin: string, home: string): Record<string, string> {
  const folders = ["CONFIG", "DATA", "CACHE", "STATE"].map((kind) => [
    `XDG_${kind}_HOME`,
    join(home, kind.toLowerCase()),
  ])
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    NO_COLOR: "1",
    HTTPS_PROXY: origin,
    NO_PROXY: "127.0.0.1,localhost",
    ...Object.fromEntries(folders),
    ...client.env?.(origin, home),
  }
}

const PLUGIN = { project: ".opencode/plugin/detent.js" }

/** Puts Detent in front, as its user would. */
function init({ agent }: Client, project: string, env: Record<string, string>, grants: boolean): void {
  const words = ["init", "--agent", agent, "--yes", "--policy", join(project, "detent.json")]
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], { cwd: project, env, encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
  if (!grants) return
  const hooks: Readonly<Record<string, { readonly project: string }>> = { ...SETUPS, opencode: PLUGIN }
  const file = join(project, hooks[agent]!.project)
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(" --on-failure", " --rewrite-grants --on-failure"))
}

/** Runs an agent to its end, with all that it starts; the answer is what it said on both streams. */
function ran(program: string, words: readonly string[], cwd: string, env: Record<string, string>): Promise<string> {
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const late = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), LIMIT_MS)
  let said = ""
  const hear = (text: string): void => {
    said += text
  }
  child.stdout.setEncoding("utf8").on("data", hear)
  child.stderr.setEncoding("utf8").on("data", hear)
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", () => {
      clearTimeout(late)
      resolve(said)
    })
  })
}
