import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openState } from "../../store/state/state.ts"
import { privateFolder } from "./folder.ts"

const CI = { id: "ci", autonomy: "ask", scopes: ["decide", "exec"], description: "the build", env: "prod" } as const

it("a token finds its caller, after a restart too, until it is revoked", async () => {
  const folder = privateFolder()
  const first = await openState(folder)
  const { token, caller } = await first.callers.add(CI)
  expect(caller).toMatchObject(CI)
  first.close()
  const { callers } = await openState(folder)
  expect(await callers.find(token)).toEqual(caller)
  expect(await callers.find(`${token}x`)).toBeUndefined()
  expect(await callers.find("")).toBeUndefined()
  expect(await callers.revoke("ci")).toBe(true)
  expect(await callers.find(token)).toBeUndefined()
  expect(await callers.revoke("ci")).toBe(false)
  expect(await callers.list()).toMatchObject([{ id: "ci", revokedAt: expect.any(String) }])
})

it("a token revoked by another process is nobody's at once", async () => {
  const folder = privateFolder()
  const [daemon, console] = [await openState(folder), await openState(folder)]
  const { token } = await daemon.callers.add(CI)
  expect(await daemon.callers.find(token)).toBeDefined()
  await console.callers.revoke("ci")
  expect(await daemon.callers.find(token)).toBeUndefined()
})

it("no token stands in any file", async () => {
  const folder = privateFolder()
  const state = await openState(folder)
  const { token } = await state.callers.add(CI)
  for (const name of ["state.db", "state.db-wal"]) {
    expect(readFileSync(join(folder, name)).includes(token), name).toBe(false)
  }
})

it("an id is given once, even after it was revoked", async () => {
  const { callers } = await openState(privateFolder())
  await callers.add(CI)
  await expect(callers.add(CI)).rejects.toThrow("there is a caller `ci` already")
  await callers.revoke("ci")
  await expect(callers.add(CI)).rejects.toThrow("there is a caller `ci` already")
})
