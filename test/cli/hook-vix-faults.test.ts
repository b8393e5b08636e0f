import { spawn } from "node:child_process"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { environment, folderWith } from "./capture.ts"
import { BIN, start } from "./process.ts"

const spec = (command: string, more: object = {}) => ({
  trigger: { event: "PreToolUse" },
  mode: "sync",
  blocking: true,
  command,
  ...more,
})
const ENVELOPE = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "bash", tool_input: { command: "ls" } })
const home = (hook: object) => folderWith({ "home/.vix/hooks/a/hook.json": hook })
const state = (cwd: string) => JSON.parse(readFileSync(join(cwd, "home/.vix/hooks/a/state.json"), "utf8"))

it.each([
  ["hangs", "sleep 60", "within the hook's time limit"],
  ["is killed", "kill -9 $$", "ended by a signal"],
  ["prints ten megabytes", "head -c 10000000 /dev/zero | tr '\\0' x", "more than"],
  ["prints what is no UTF-8", "printf '\\377'", "UTF-8"],
  ["is not there", "/no/such/script.sh", "exit code 127"],
  ["fails", "exit 3", "exit code 3"],
])("a hook that %s lets the action go on, and it is said and written down", (_, command, why) => {
  const cwd = home(spec(command, { timeout: "500ms" }))
  const ran = start(["hook", "vix"], { cwd, stdin: ENVELOPE })
  expect(ran).toMatchObject({ code: 0, out: '{"behavior":"allow"}\n' })
  expect(ran.err).toContain(why)
  expect(state(cwd)).toMatchObject({ last_status: "error", last_error: expect.stringContaining(why) })
})

it("a link that leads in a circle is named", () => {
  const cwd = home(spec("exit 2"))
  symlinkSync("loop", join(cwd, "home/.vix/hooks/loop"))
  const ran = start(["hook", "vix"], { cwd, stdin: ENVELOPE })
  expect(ran.code).toBe(2)
  expect(ran.err).toContain("cannot be read (ELOOP)")
})

it("processes at once lose no run and tear no file", async () => {
  const cwd = home(spec("exit 0"))
  const one = () =>
    new Promise<number | null>((resolve) => {
      const env = environment(join(cwd, "home"))
      const child = spawn(process.execPath, [BIN, "hook", "vix"], { cwd, env, stdio: ["pipe", "ignore", "ignore"] })
      child.on("close", resolve)
      child.stdin.end(ENVELOPE)
    })
  expect(await Promise.all(Array.from({ length: 8 }, one))).toEqual(Array(8).fill(0))
  expect(state(cwd).recent_runs).toHaveLength(8)
}, 30_000)
