import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { SETUP_NAMES, setupRow } from "../../dialects/setup/places.ts"
import { homeOf } from "../../settings/folders.ts"
import { CommandError } from "../errors.ts"
import type { Io } from "../io.ts"
import { fileOf } from "../setup/file.ts"

/** One file that holds hooks of a host. */
export interface Source {
  /** absolute */
  readonly file: string
  /** as findings show it */
  readonly shown: string
  /** the name of its own folder */
  readonly folder: string
}

/** The files that hold an agent's hooks: of the path that is named, else all that the agent itself would read here. */
export function sourcesOf(agent: string, path: string | undefined, io: Io): readonly Source[] {
  const known = [...SETUP_NAMES, "vix"]
  if (!known.includes(agent))
    throw new CommandError(`hooks of \`${agent}\` cannot be imported`, `known are ${known.join(", ")}`)
  const places = path === undefined ? placesOf(agent, io) : [resolve(io.cwd, path)]
  const files = places.flatMap((place) => filesIn(place, agent))
  if (files.length === 0) {
    throw new CommandError(
      `no hooks of ${agent} were found`,
      `looked at ${places.map((place) => shownAs(place, io)).join(", ")}`,
    )
  }
  return files.map((file) => ({ file, shown: shownAs(file, io), folder: basename(dirname(file)) }))
}

function placesOf(agent: string, io: Io): readonly string[] {
  if (agent === "vix") return [join(homeOf(io.env), ".vix", "hooks")]
  const row = setupRow(agent)!
  const [project, user] = [fileOf(row, "project", io), fileOf(row, "user", io)]
  if (agent === "claude-code") return [project, project.replace(/\.json$/, ".local.json"), user]
  // These read every file of the folder.
  return agent === "vscode" || agent === "copilot" ? [dirname(project), dirname(user)] : [project, user]
}

function filesIn(place: string, agent: string): readonly string[] {
  const stat = statSync(place, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [place]
  const names = readdirSync(place).sort()
  const files =
    agent === "vix"
      ? names.map((name) => join(place, name, "hook.json"))
      : names.filter((name) => name.endsWith(".json")).map((name) => join(place, name))
  return files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
}

const shownAs = (file: string, { cwd }: Io): string => {
  const near = relative(cwd, file)
  return near.startsWith("..") ? file : near
}
