import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { EVENT, folderWith, policy, rule } from "../cli/capture.ts"
import { daemonWith } from "./world.ts"

const observer = (script: string): object => ({
  id: "watches",
  on: "call.decided",
  phase: "observe",
  run: ["sh", "-c", script],
})

it("an observer that never ends keeps no operation, no reload and no end of the daemon waiting", async () => {
  const cwd = folderWith({
    "p.json": policy([observer("sleep 600"), rule("no", { refuse: "no" })]),
  })
  const daemon = await daemonWith({ cwd })
  const decided = await Promise.all(Array.from({ length: 20 }, () => daemon.decide(EVENT)))
  expect(new Set(decided.map(({ body }) => body.outcome))).toEqual(new Set(["refuse"]))
  writeFileSync(join(cwd, "p.json"), policy([rule("no", { refuse: "anew" })]))
  await daemon.running.reload()
  expect((await daemon.decide(EVENT)).body.refusal.reason).toBe("anew")
  await daemon.running.stop(500)
  expect(daemon.log.slice(-2).map(({ message }) => message)).toEqual([
    "what still runs is left to end with the process",
    "stopped",
  ])
})

it("observers of a new policy see what happens from then on, and those of the old one no more", async () => {
  const cwd = folderWith({ "p.json": policy([observer("echo old >> seen")]) })
  const daemon = await daemonWith({ cwd })
  const seen = () => (existsSync(join(cwd, "seen")) ? readFileSync(join(cwd, "seen"), "utf8") : "")
  await daemon.decide(EVENT)
  await expect.poll(seen, { timeout: 10_000 }).toBe("old\n")
  writeFileSync(join(cwd, "p.json"), policy([observer("echo new >> seen")]))
  await daemon.running.reload()
  await daemon.decide(EVENT)
  await expect.poll(seen, { timeout: 10_000 }).toBe("old\nnew\n")
})
