import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject, parseJson } from "../../effects/json.ts"
import type { Environment } from "../run/environment.ts"

/** The variables that switch a folder of hooks off, by vix's name and by ours. */
const SWITCHES = Object.freeze(["VIX_DISABLE_HOOKS", "DETENT_DISABLE_HOOKS"] as const)

/** What has switched a folder of hooks off; undefined where nothing has. */
export function switchedOff(dir: string, env: Environment): string | undefined {
  const variable = SWITCHES.find((name) => env[name] === "1")
  if (variable !== undefined) return `\`${variable}=1\``
  const file = join(dirname(dir), "settings.json")
  return saysOff(file) ? `\`features.hooks: false\` in \`${file}\`` : undefined
}

function saysOff(file: string): boolean {
  try {
    const settings = parseJson(readFileSync(file, "utf8"))
    return isObject(settings) && isObject(settings.features) && settings.features.hooks === false
  } catch {
    return false
  }
}
