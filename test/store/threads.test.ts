import { expect, it } from "vitest"
import { openState } from "../../store/state/state.ts"
import { privateFolder } from "./folder.ts"

const NOTICE = { message: "three advisories\n\nread them", cwd: "/home/me", unread: true, caller: "local" }

it("notices are kept, the newest first, and read once", async () => {
  const folder = privateFolder()
  const first = await openState(folder)
  const older = await first.threads.create({ ...NOTICE, title: "Advisories" })
  const newer = await first.threads.create({ ...NOTICE, unread: false })
  first.close()
  const { threads } = await openState(folder)
  expect(await threads.list()).toEqual([newer, older])
  expect(await threads.list({ unread: true })).toEqual([older])
  expect(await threads.mark(older.id, false)).toBe(true)
  expect(await threads.get(older.id)).toEqual({ ...older, unread: false })
  expect(await threads.mark("none", false)).toBe(false)
  expect(await threads.get("none")).toBeUndefined()
})
