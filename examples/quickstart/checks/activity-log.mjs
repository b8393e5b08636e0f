// An observer: it is told what happened after the fact, and nothing that it says changes anything.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"

const { ACTIVITY_LOG = ".detent/activity.log" } = process.env
const { caller, server, tool, target, outcome } = JSON.parse(readFileSync(0, "utf8"))
const about = target.command ?? target.path ?? target.url ?? ""

mkdirSync(dirname(ACTIVITY_LOG), { recursive: true })
appendFileSync(ACTIVITY_LOG, `${outcome}\t${caller.id}\t${server}\t${tool}\t${about}\n`)
