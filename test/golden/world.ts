import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** A folder with the given files, gone when the test has finished. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "golden-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) put(dir, name, text)
  return dir
}

export function put(dir: string, name: string, text: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), text)
}

export const EVENT = "event: { on: call, phase: before, server: fs, tool: write_file, args: { path: a.txt } }\n"
export const GUARD = `policy:
  hooks:
    - { id: guard, on: call, phase: before, effect: ask, rule: { refuse: "no" } }
`
