import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openState } from "../../store/state/state.ts"
import { privateFolder } from "./folder.ts"

const NOTICE = { message: "m", cwd: "/", unread: true, caller: "local" }

it("every file is 0600, in a folder made 0700", async () => {
  const folder = join(privateFolder(), "detent")
  const state = await openState(folder)
  await state.threads.create(NOTICE)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
})

it("a folder or a file that others can open is refused, and so is a link", async () => {
  const folder = privateFolder()
  chmodSync(folder, 0o750)
  await expect(openState(folder)).rejects.toThrow(/must be there and belong to you alone/)
  chmodSync(folder, 0o700)
  writeFileSync(join(folder, "state.db"), "", { mode: 0o644 })
  await expect(openState(folder)).rejects.toThrow(/must be a file that belongs to you alone/)
  renameSync(join(folder, "state.db"), join(folder, "elsewhere"))
  chmodSync(join(folder, "elsewhere"), 0o600)
  symlinkSync(join(folder, "elsewhere"), join(folder, "state.db"))
  await expect(openState(folder)).rejects.toThrow(/must be a file that belongs to you alone/)
})

it("a file that is no store, and a folder in its place, are told", async () => {
  const folder = privateFolder()
  writeFileSync(join(folder, "state.db"), "these are no pages of a database\n".repeat(200), { mode: 0o600 })
  await expect(openState(folder)).rejects.toMatchObject({ message: expect.stringMatching(/is no store of detent/) })
  const other = privateFolder()
  mkdirSync(join(other, "state.db"), { mode: 0o700 })
  await expect(openState(other)).rejects.toThrow(/must be a file/)
})

it("a store that was replaced while it was in use takes nothing more", async () => {
  const folder = privateFolder()
  const state = await openState(folder)
  await state.threads.create(NOTICE)
  renameSync(join(folder, "state.db"), join(folder, "moved.db"))
  await expect(state.threads.create(NOTICE)).rejects.toThrow(/was taken away or replaced/)
})

it("many may open one folder at once", async () => {
  const folder = join(privateFolder(), "detent")
  const all = await Promise.all(Array.from({ length: 8 }, () => openState(folder)))
  await Promise.all(all.map(({ threads }) => threads.create(NOTICE)))
  expect(await all[0]!.threads.list()).toHaveLength(8)
})
