import { HOST_NAMES, hostLevels, hostMoment, isHost } from "../dialects/hosts.ts"
import type { Level } from "../effects/levels.ts"
import type { FireOptions } from "../engine/given.ts"
import { showMoment } from "../policy/phases.ts"
import type { Point } from "../policy/points.ts"
import { CommandError } from "./errors.ts"
import type { Event } from "./event.ts"

/** What `--host` says for one event: an agent stands for what it can carry there. */
export function hostIn(named: string | undefined, event: Event): FireOptions["host"] {
  if (!isHost(named)) return named as Level | undefined
  if (hostMoment(named, event.on, event.phase)) return { name: named, max: hostLevels(named, event.on as Point) }
  const hint = `agents are ${HOST_NAMES.join(", ")}`
  throw new CommandError(`\`${named}\` never fires ${showMoment(event.on, event.phase)}`, hint)
}
