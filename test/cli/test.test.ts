import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, environment, folderWith, lines } from "./capture.ts"
import { BIN } from "./process.ts"

const caseOf = (reason: string) => `# refuses with its reason
policy: { version: 1, hooks: [{ id: a, on: call, phase: before, rule: { refuse: "${reason}" }, effect: ask }] }
event: { on: call, phase: before, server: s, tool: t }
`
const NAME = "refuses-with-its-reason"
const file = (cwd: string, ending: "case.yaml" | "golden.ndjson") => join(cwd, `${NAME}.${ending}`)

async function withGolden(): Promise<string> {
  const cwd = folderWith({ [`${NAME}.case.yaml`]: caseOf("no") })
  await detent(["test", "--update"], { cwd })
  return cwd
}

describe("test", () => {
  it("fails a case without a golden and says how to write it; --update writes it; then it passes", async () => {
    const cwd = folderWith({ [`${NAME}.case.yaml`]: caseOf("no") })
    const missing = await detent(["test"], { cwd })
    expect(missing.code).toBe(1)
    expect(missing.out).toContain(`failed ${NAME}\n  it has no golden yet`)
    expect(missing.out).toContain("--update")
    expect(await detent(["test", "--update"], { cwd })).toEqual({
      code: 0,
      out: `written ${NAME}\n0 passed, 1 written, 0 failed\n`,
      err: "",
    })
    expect(await detent(["test"], { cwd })).toEqual({ code: 0, out: "1 passed, 0 failed\n", err: "" })
  })

  it("shows what differs, member by member", async () => {
    const cwd = await withGolden()
    writeFileSync(file(cwd, "case.yaml"), caseOf("never"))
    const { code, out } = await detent(["test"], { cwd })
    expect(code).toBe(1)
    expect(out).toContain(`failed ${NAME}\n`)
    expect(out).toMatch(/ - .*"no"\n +\+ .*"never"/)
    expect(out).toMatch(/\n0 passed, 1 failed\n$/)
  })

  it("tells a golden without a case, and a case that is broken", async () => {
    const cwd = folderWith({ "lost.golden.ndjson": "", "bad.case.yaml": "policy: 1\n" })
    const { code, out } = await detent(["test"], { cwd })
    expect(code).toBe(1)
    expect(out).toContain("orphan lost.golden.ndjson: a golden without a case\n")
    expect(out).toContain("broken bad\n  bad.case.yaml:1:")
    expect(out).toMatch(/0 passed, 0 failed, 1 broken, 1 without a case\n$/)
  })

  it("writes no golden where CI is set", async () => {
    const cwd = folderWith({ [`${NAME}.case.yaml`]: caseOf("no") })
    const { code, err } = await detent(["test", "--update"], { cwd, env: { CI: "true" } })
    expect({ code, written: existsSync(file(cwd, "golden.ndjson")) }).toEqual({ code: 2, written: false })
    expect(err).toContain("goldens are not written where `CI` is set")
  })

  it("answers 2 where there is nothing to run", async () => {
    expect(await detent(["test", "gone"])).toMatchObject({ code: 2, err: "detent: there is no folder `gone`\n" })
    expect((await detent(["test"])).err).toContain("there are no cases under `.` (a case is a file NAME.case.yaml)")
    expect((await detent(["test", "--reporter", "junti"])).code).toBe(2)
  })

  it("tells what no case touches with --coverage", async () => {
    const cwd = folderWith({
      "p.yaml":
        "version: 1\nhooks:\n  - { id: used, on: call, phase: before, rule: { advise: x } }\n  - { id: unused, on: script, phase: before, rule: { advise: x } }\n",
      "a.case.yaml": "policy: p.yaml\nevent: { on: call, phase: before, server: s, tool: t }\n",
    })
    await detent(["test", "--update"], { cwd })
    const { code, out } = await detent(["test", "--coverage"], { cwd })
    expect(code).toBe(0)
    expect(out).toContain("no case fires the hook `unused` (p.yaml:4)")
    expect(out).not.toContain("`used`")
  })

  it("gives results as JUnit XML and as data", async () => {
    const cwd = await withGolden()
    expect((await detent(["test", "--reporter", "junit"], { cwd })).out).toMatch(/^<\?xml .*<testcase name="refuses-/s)
    const [one, sum] = lines((await detent(["test", "--format", "ndjson"], { cwd })).out)
    expect([one, sum]).toMatchObject([
      { type: "case", name: NAME, outcome: "passed" },
      { type: "sum", passed: 1 },
    ])
    expect(JSON.parse((await detent(["test", "--format", "json"], { cwd })).out)).toMatchObject({ passed: 1 })
    expect((await detent(["test", "--reporter", "junit", "--format", "json"], { cwd })).code).toBe(2)
  })

  it("runs again after a change with --watch, until it is interrupted", async () => {
    const cwd = await withGolden()
    const child = spawn(process.execPath, [BIN, "test", "--watch"], { cwd, env: environment(join(cwd, "home")) })
    let out = ""
    const until = (text: string) =>
      new Promise<void>((done) => {
        const look = () => out.includes(text) && done()
        child.stdout.on("data", look)
        look()
      })
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
    })
    await until("1 passed, 0 failed")
    writeFileSync(file(cwd, "case.yaml"), caseOf("never"))
    await until("0 passed, 1 failed")
    writeFileSync(file(cwd, "case.yaml"), readFileSync(file(cwd, "case.yaml"), "utf8").replace("never", "no"))
    out = ""
    await until("1 passed, 0 failed")
    child.kill("SIGINT")
    expect(await new Promise((done) => child.on("close", done))).toBe(0)
  })
})
