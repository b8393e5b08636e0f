import { actions } from "./actions.ts"
import { checks } from "./checks.ts"
import { commands } from "./commands.ts"
import { conditions } from "./conditions.ts"
import { dial } from "./dial.ts"
import { frames } from "./frames.ts"
import { hosts } from "./hosts.ts"
import { models } from "./models.ts"
import { points } from "./points.ts"
import { schemas } from "./schemas.ts"
import { settings } from "./settings.ts"
import { tools } from "./tools.ts"

const REFERENCE = { actions, checks, commands, conditions, dial, frames, hosts, models, points, settings, tools }

/** The folders that hold nothing but what is made here. */
export const FOLDERS = Object.freeze(["docs/reference", "schemas"] as const)

/** Every file that is made from the tables of the code: its path from the root, and its text. */
export const files = (): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...Object.entries(REFERENCE).map(([name, make]) => [`docs/reference/${name}.md`, make()]),
    ...Object.entries(schemas()).map(([name, text]) => [`schemas/${name}`, text]),
  ])
