import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

/** Waits until something is so, as long as a test may take. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20)
}

export const untilThere = (path: string): Promise<void> => until(() => existsSync(path))
