import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DIALECTS } from "../../dialects/dialects.ts"
import { objectIn } from "../../dialects/heard/heard.ts"
import { HEARS } from "../../dialects/heard/index.ts"
import { payloadOf } from "../../dialects/heard/payload.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Io } from "../io.ts"
import { isThin, projectFolder } from "../setup/file.ts"

/** What came of a call that had to be refused. */
export interface Tried {
  readonly event: string
  readonly refused: boolean
  /** what it was asked with, or what it said instead */
  readonly how: string
}

/** A tool that nobody has: whatever comes of it, nothing is done. */
const TOOL = "detent_doctor"
const PATIENCE_MS = 60_000

/**
 * Asks through the very command line of an agent's configuration about a call that has to be refused: by a hook that is
 * put into a user's policy for this one process. Its reason comes back, so that no other refusal is taken for it.
 */
export function tryLive(agent: string, event: string, command: string, io: Io): Tried {
  const why = `detent doctor ${randomUUID()}`
  const config = mkdtempSync(join(tmpdir(), "detent-doctor-"))
  try {
    mkdirSync(join(config, "detent"))
    writeFileSync(join(config, "detent", "policy.yaml"), JSON.stringify(probe(why)))
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd: projectFolder(io),
      env: { ...io.env, XDG_CONFIG_HOME: config },
      // A daemon has its own policy: there, a payload that nobody could read has to be refused.
      input: JSON.stringify(isThin(command) ? {} : payload(agent, event, io)),
      encoding: "utf8",
      timeout: PATIENCE_MS,
    })
    const reason = refusalIn(agent, event, { code: status ?? 1, stdout, stderr })
    if (reason?.includes(why)) return { event, refused: true, how: "by the hook that was put there to refuse it" }
    if (reason !== undefined) return { event, refused: true, how: `for another reason: ${reason}` }
    const said = stdout.trim() || stderr.trim() || `nothing, and ended with ${status}`
    return { event, refused: false, how: `it said ${said.slice(0, 200)}` }
  } finally {
    rmSync(config, { recursive: true, force: true })
  }
}

const probe = (why: string): JsonObject => ({
  version: 1,
  hooks: [
    {
      id: "detent-doctor",
      on: "call",
      phase: "before",
      when: { tool: TOOL },
      rule: { refuse: why },
      effect: "ask",
      floor: "ask",
    },
  ],
})

function payload(agent: string, event: string, { cwd }: Io): JsonObject {
  const dialect = DIALECTS[agent]!
  const made = payloadOf(dialect, event, dialect.moments[event]!, {
    session: TOOL,
    cwd,
    server: agent,
    tool: TOOL,
    args: { command: "true" },
  })
  return { ...made, ...OWN[agent] }
}

/** What tells the agents' payloads apart besides the event. */
const OWN: Readonly<Record<string, JsonObject>> = Object.freeze({
  codex: { turn_id: TOOL, model: TOOL },
  gemini: { timestamp: new Date(0).toISOString() },
  vscode: { timestamp: new Date(0).toISOString() },
  copilot: { timestamp: 1 },
  cursor: { generation_id: TOOL, cursor_version: TOOL },
})

/** The reason of a refusal, read as the agent would read it. */
function refusalIn(
  agent: string,
  name: string,
  end: { code: number; stdout: string; stderr: string },
): string | undefined {
  if (agent === "opencode") {
    const { refuse } = objectIn(end.stdout) ?? {}
    return end.code !== 0 ? end.stderr.trim() : typeof refuse === "string" ? refuse : undefined
  }
  const heard = HEARS[agent]!({ name, row: DIALECTS[agent]!.moments[name]!, event: {} }, end)
  return "output" in heard && heard.output.refuse !== undefined ? String(heard.output.refuse) : undefined
}
