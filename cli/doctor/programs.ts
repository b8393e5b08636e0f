import { spawnSync } from "node:child_process"
import { findProgram } from "../../actions/run/program.ts"
import type { Io } from "../io.ts"

/** The programs that an agent comes as. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  "claude-code": ["claude"],
  codex: ["codex"],
  gemini: ["gemini"],
  cursor: ["cursor-agent", "cursor"],
  vscode: ["code"],
  copilot: ["copilot"],
  opencode: ["opencode"],
})

/** An agent that is on this machine. */
export interface Found {
  readonly program: string
  /** absent: it did not say */
  readonly version?: string
}

/** Milliseconds in which a program has to say its version. */
const PATIENCE_MS = 10_000

/** Finds an agent's program, and asks it for its version. */
export function foundProgram(agent: string, { env, cwd }: Io): Found | undefined {
  for (const name of PROGRAMS[agent] ?? []) {
    const program = findProgram(name, cwd, env.PATH, cwd)
    if ("problem" in program) continue
    const { stdout, status } = spawnSync(program.file, ["--version"], {
      env,
      input: "",
      encoding: "utf8",
      timeout: PATIENCE_MS,
    })
    const version = status === 0 ? /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] : undefined
    return { program: program.file, ...(version === undefined ? {} : { version }) }
  }
  return undefined
}
