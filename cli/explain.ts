import type { Call } from "./command.ts"
export async function run(_call: Call): Promise<number> {
  throw new Error("soon")
}
