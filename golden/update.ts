import { renameSync, writeFileSync } from "node:fs"

/** Why goldens may not be written here, or undefined where they may: a golden that a CI job writes is read by nobody. */
export function updateRefusal(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!env.CI) return undefined
  return "goldens are not written where `CI` is set: write them where somebody reads them, and commit them"
}

/** Writes a golden whole, or not at all. */
export function writeGolden(file: string, text: string): void {
  const whole = `${file}.${process.pid}.new`
  writeFileSync(whole, text)
  renameSync(whole, file)
}
