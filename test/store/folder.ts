import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach } from "vitest"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A fresh folder of this user alone, gone after the test. */
export function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "detent-store-"))
  chmodSync(folder, 0o700)
  folders.push(folder)
  return folder
}
