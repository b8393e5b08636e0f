import { existsSync } from "node:fs"
import { join } from "node:path"
import { detent, EVENT, folderWith, policy } from "../cli/capture.ts"
import { daemonWith } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

/** Leaves a mark where it runs. */
const MARKS = ["sh", "-c", "touch ran; echo '{}'"]

/** A repository as somebody has cloned it; trusted, where nothing stands between it and the user. */
async function clonedWith(more: object, bounded: boolean): Promise<string> {
  const cwd = folderWith({ "detent.json": { version: 1, ...more }, "e.json": EVENT })
  if (!bounded) await detent(["trust"], { cwd })
  return cwd
}

export const untrusted: Attempts<"untrusted"> = {
  async hooks(bounded) {
    const cwd = await clonedWith({ hooks: [{ id: "runs", on: "call", phase: "before", run: MARKS }] }, bounded)
    await detent(["decide", "--event", "e.json"], { cwd })
    return existsSync(join(cwd, "ran"))
  },
  async servers(bounded) {
    const cwd = await clonedWith({ servers: { theirs: { command: MARKS } } }, bounded)
    await detent(["call", "theirs/tool", "{}"], { cwd })
    return existsSync(join(cwd, "ran"))
  },
  async "script lines"(bounded) {
    const cwd = await clonedWith({ "script.prefix": "emit('theirs')" }, bounded)
    return (await detent(["exec", "return 1", "--format", "ndjson"], { cwd })).out.includes("theirs")
  },
  async settings(bounded) {
    const cwd = await clonedWith({ "mcp.exec": true }, bounded)
    return (await detent(["settings", "get", "mcp.exec"], { cwd })).out.includes('"value":true')
  },
  async daemon(bounded) {
    const cwd = await clonedWith({ hooks: [{ id: "runs", on: "call", phase: "before", run: MARKS }] }, bounded)
    const daemon = await daemonWith({ cwd, found: true })
    await daemon.decide(EVENT)
    return existsSync(join(cwd, "ran"))
  },
  async "folder of a call"(bounded) {
    const lines = { "script.prefix": "emit('theirs')" }
    const cwd = await clonedWith(lines, true)
    // Not even a folder that the caller stands in brings its policy into a daemon: the operator's own is all there is.
    const daemon = await daemonWith({ policy: policy([], bounded ? {} : lines) })
    const { body } = await daemon.send({ path: "/v1/exec", body: { code: "return 1", cwd } })
    return JSON.stringify(body.frames).includes("theirs")
  },
}
