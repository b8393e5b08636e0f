import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { distrust, isTrusted, trust } from "../../settings/trust.ts"

let home: string
let env: Record<string, string>
const state = () => join(home, "state", "detent")

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "detent-trust-"))
  env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

it("holds for exactly the content that was recorded", () => {
  const file = join(home, "detent.yaml")
  expect(isTrusted(file, "version: 1", env)).toBe(false)
  trust(file, "version: 1", env)
  expect(isTrusted(file, "version: 1", env)).toBe(true)
  expect(isTrusted(file, "version: 1\n", env)).toBe(false)
  expect(isTrusted(join(home, "other.yaml"), "version: 1", env)).toBe(false)
})

it("is kept in a file and a folder of this user alone", () => {
  trust(join(home, "detent.yaml"), "x", env)
  expect(statSync(state()).mode & 0o777).toBe(0o700)
  expect(statSync(join(state(), "trust.json")).mode & 0o777).toBe(0o600)
})

it("keeps what was recorded before, and can be taken back", () => {
  const [a, b] = [join(home, "a.yaml"), join(home, "b.yaml")]
  trust(a, "a", env)
  trust(b, "b", env)
  expect(distrust(a, env)).toBe(true)
  expect(distrust(a, env)).toBe(false)
  expect([isTrusted(a, "a", env), isTrusted(b, "b", env)]).toEqual([false, true])
})

it("a link and its file are one", () => {
  const real = join(home, "real.yaml")
  writeFileSync(real, "x")
  symlinkSync(real, join(home, "link.yaml"))
  trust(join(home, "link.yaml"), "x", env)
  expect(isTrusted(real, "x", env)).toBe(true)
})

it("a store that others can write trusts nothing", () => {
  const file = join(home, "detent.yaml")
  trust(file, "x", env)
  chmodSync(join(state(), "trust.json"), 0o666)
  expect(isTrusted(file, "x", env)).toBe(false)
  chmodSync(join(state(), "trust.json"), 0o600)
  chmodSync(state(), 0o755)
  expect(isTrusted(file, "x", env)).toBe(false)
  expect(() => trust(file, "y", env)).toThrow(/must belong to you alone/)
})

it("a damaged store trusts nothing and is written anew", () => {
  const file = join(home, "detent.yaml")
  mkdirSync(state(), { recursive: true, mode: 0o700 })
  chmodSync(state(), 0o700)
  for (const text of ["{", "[]", '{"version":1,"files":{"a":1,"a":2}}', '{"version":2,"files":{}}', ""]) {
    writeFileSync(join(state(), "trust.json"), text, { mode: 0o600 })
    expect(isTrusted(file, "x", env)).toBe(false)
  }
  trust(file, "x", env)
  expect(JSON.parse(readFileSync(join(state(), "trust.json"), "utf8"))).toMatchObject({ version: 1 })
  expect(isTrusted(file, "x", env)).toBe(true)
})
