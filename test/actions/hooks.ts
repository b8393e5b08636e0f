import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject } from "../../effects/json.ts"
import type { ActionContext } from "../../engine/ports.ts"
import type { Action, Hook } from "../../policy/policy.ts"

export const event: JsonObject = {
  on: "call",
  phase: "before",
  server: "fs",
  tool: "write_file",
  args: { path: "a.txt" },
  caller: { id: "ci" },
}

/** A fresh folder for one test's files. */
export const folder = (): string => mkdtempSync(join(tmpdir(), "detent-actions-"))

/** Writes a module into a fresh folder and answers its path. */
export function moduleFile(text: string, name = "hook.mjs"): string {
  const path = join(folder(), name)
  writeFileSync(path, text)
  return path
}

export const hook = (more: Partial<Hook> = {}): Hook => ({
  id: "h",
  on: "call",
  phase: "before",
  action: { kind: "run", argv: [] } satisfies Action,
  effect: "ask",
  floor: "off",
  failure: "open",
  timeoutMs: 5000,
  enabled: true,
  recheck: true,
  redact: false,
  may: { retry: true, tools: [], argv: [], modules: [] },
  origins: [],
  ...more,
})

export function context(more: Partial<Hook> = {}, signal = new AbortController().signal): ActionContext {
  const declared = hook(more)
  return {
    hook: declared,
    effective: declared.effect,
    timeoutMs: declared.timeoutMs,
    signal,
    operation: {},
    call: async () => undefined,
  }
}

/** Whether a process is there and not only waiting to be collected. */
export async function isAlive(pid: number): Promise<boolean> {
  const { readFileSync } = await import("node:fs")
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return !/\) [ZX] /.test(stat)
  } catch {
    return false
  }
}
