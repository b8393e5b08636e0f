import { describe, expect, it } from "vitest"
import { commandLines, folderWith, runIt } from "./engine.ts"

const said = (phase: string) => `process.stdout.write("${phase} ")`
const ALL = commandLines({
  before: [`${said("before")}; process.stdout.write("call" in globalThis ? "globals " : "bare ")`],
  prefix: [
    `const p: string = "prefix "`,
    "process.stdout.write(p); emit(typeof call + typeof artifact + typeof log.warn)",
  ],
  onSuccess: [`process.stdout.write("onSuccess:" + JSON.stringify(result!.value) + " ")`],
  onError: [`process.stdout.write("onError:" + result!.error.message + " ")`],
  suffix: [`process.stdout.write("suffix:" + Object.keys(result!).join() + " ")`],
})

describe("the holes of the launcher", () => {
  const folder = folderWith({
    "good.mjs": `${said("import")}\nexport default async (a, b) => { ${said("entry")}; return { a, b } }`,
    "good.ts": `${said("import")}\nconst n: number = await Promise.resolve(1)\nexport default (a: string, b: string) => { ${said("entry")}; return { a, b } satisfies object }`,
    "good.cjs": `${said("import")}\nmodule.exports = (a, b) => { ${said("entry")}; return { a, b } }`,
    "value.mjs": "export default Promise.resolve([1, 2])",
    "none.mjs": said("import"),
    "throws.mjs": `${said("import")}\nthrow new Error("at import")`,
    "rejects.ts": `export default async (): Promise<void> => { throw new TypeError("in entry") }`,
    "bad.mjs": "const a = 1\nconst = 2\n",
    "bad.ts": "const a: number = 1\nenum = 2\n",
    "deep.mjs": `import "./bad.mjs"`,
    "missing.mjs": `import "./nowhere.mjs"`,
  })

  it.each(["good.mjs", "good.ts", "good.cjs"])("run around the file %s in their order", async (file) => {
    const ran = await runIt({ file, cwd: folder, args: ["x", "y"], sources: ALL })
    expect(ran.stdout).toBe(`before bare prefix import entry onSuccess:{"a":"x","b":"y"} suffix:value `)
    expect(ran.emitted).toEqual(["functionfunctionfunction"])
    expect(ran).toMatchObject({ exitCode: 0, value: { a: "x", b: "y" }, stderr: "" })
  })

  it.each(["const n = 2", "const n: number = 2"])("run around the code of exec: %s", async (line) => {
    const ran = await runIt({ code: `${line}; ${said("entry")}; return n * 2`, sources: ALL })
    expect(ran.stdout).toBe("before bare prefix entry onSuccess:4 suffix:value ")
    expect(ran.value).toBe(4)
  })

  it.each([
    ["throws.mjs", "before bare prefix import onError:at import suffix:error ", "throw", "at import"],
    ["rejects.ts", "before bare prefix onError:in entry suffix:error ", "throw", "in entry"],
  ])("meet the error of %s, which is raised again", async (file, stdout, code, message) => {
    const ran = await runIt({ file, cwd: folder, sources: ALL })
    expect(ran.stdout).toBe(stdout)
    expect(ran.error).toMatchObject({ code, message })
    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain(message)
  })

  it.each([
    ["bad.mjs", "bad.mjs:2:"],
    ["bad.ts", "bad.ts:2:"],
    ["deep.mjs", "bad.mjs:2:"],
  ])("meet a syntax error of %s, which names file and line", async (file, place) => {
    const ran = await runIt({ file, cwd: folder, sources: ALL })
    expect(ran.error).toMatchObject({ code: "syntax", message: expect.stringContaining(`${folder}/${place}`) })
    expect(ran.stdout).toContain(`onError:${folder}/${place}`)
    expect(ran.stdout).toContain("suffix:error")
    expect(ran.stderr).toContain(place.slice(0, -1))
    expect(ran.exitCode).toBe(1)
  })

  it("meet a syntax error in the code of exec, with its line and column", async () => {
    const ran = await runIt({ code: "const a = 1\nconst = 2", sources: ALL })
    expect(ran.error?.message).toMatch(/^\[exec\]:2:7: /)
    expect(ran.stdout).toMatch(/^before bare prefix onError:\[exec\]:2:7.* suffix:error $/)
  })

  it("name the phase, the place and the origin of a line that cannot be read", async () => {
    const origin = { layer: "user", source: "policy.yaml", line: 9 } as const
    const lines = {
      prefix: [
        { value: "emit(1)\nemit(2)", origin },
        { value: "emit((3)", origin: { ...origin, line: 12 } },
      ],
    }
    const ran = await runIt({ code: "emit('script')", sources: { lines } })
    expect(ran.error?.message).toMatch(/^script\.prefix:3:\d+: .*in the line from policy\.yaml:12$/)
    expect(ran.emitted).toEqual([])
  })

  it.each(["}); emit('out'); (async () => {", "} emit('out'); {", "} emit('out'); async function lines() {"])(
    "take an unbalanced brace for a syntax error: %s",
    async (code) => {
      const ran = await runIt({ code })
      expect(ran.error?.code).toBe("syntax")
      expect(ran.emitted).toEqual([])
    },
  )

  it("tell a script that is not there, and a module that it lacks", async () => {
    expect((await runIt({ file: "no.mjs", cwd: folder })).error).toMatchObject({
      code: "ENOENT",
      message: `there is no script \`${folder}/no.mjs\``,
    })
    const lacking = await runIt({ file: "missing.mjs", cwd: folder, sources: ALL })
    expect(lacking.error).toMatchObject({
      code: "ERR_MODULE_NOT_FOUND",
      message: expect.stringContaining("nowhere.mjs"),
    })
    expect(lacking.stdout).toContain("suffix:error")
  })

  it("take the default export's value, or none", async () => {
    expect(await runIt({ file: "value.mjs", cwd: folder })).toMatchObject({ exitCode: 0, value: [1, 2] })
    const none = await runIt({ file: "none.mjs", cwd: folder })
    expect(none.exitCode).toBe(0)
    expect(none).not.toHaveProperty("value")
  })

  it("let onSuccess replace the value, and suffix change nothing", async () => {
    const sources = commandLines({
      onSuccess: ["result.value = result.value + 1"],
      suffix: ["result.value = 9; throw new Error('late')"],
    })
    const ran = await runIt({ code: "return 1", sources })
    expect(ran).toMatchObject({ exitCode: 0, value: 2 })
    expect(ran.stderr).toContain("script.suffix failed: Error: late")
  })

  it("fail the run on a throw in onSuccess, without onError", async () => {
    const sources = commandLines({
      onSuccess: ["throw new Error('no')"],
      onError: ["emit('onError')"],
      suffix: ["emit(Object.keys(result))"],
    })
    const ran = await runIt({ code: "return 1", sources })
    expect(ran).toMatchObject({ exitCode: 1, error: { message: "no" }, emitted: [["error"]] })
  })

  it("keep the error of the script when onError throws, and do not let it recover", async () => {
    const sources = commandLines({ onError: ["delete result.error; throw new Error('second')"] })
    const ran = await runIt({ code: "throw new Error('first')", sources })
    expect(ran).toMatchObject({ exitCode: 1, error: { message: "first" } })
    expect(ran.stderr).toContain("script.onError failed: Error: second")
  })

  it("run onError and suffix, and not the script, after a throw in before", async () => {
    const sources = commandLines({
      before: ["throw new Error('early')"],
      onError: ["console.log('onError')"],
      suffix: ["console.log('suffix')"],
    })
    const ran = await runIt({ code: "console.log('script')", sources })
    expect(ran).toMatchObject({ exitCode: 1, stdout: "onError\nsuffix\n", error: { message: "early" } })
  })

  it("share the arguments with the script, and import from the working folder", async () => {
    const sources = commandLines({
      prefix: [
        "script.args.push((await import('./value.mjs')).default)",
        "emit(require('./good.cjs').length); emit(script.file)",
      ],
    })
    const ran = await runIt({ file: "good.mjs", cwd: folder, args: ["x"], sources })
    expect(ran).toMatchObject({ value: { a: "x", b: {} }, emitted: [2, `${folder}/good.mjs`] })
  })
})

describe("lines in a file", () => {
  const folder = folderWith({
    "after.ts": "const doubled: number = (result!.value as number) * 2\nemit(doubled)\n",
    "bad.ts": "emit(1)\nconst = 2\n",
  })
  const lines = (file: string) =>
    ({
      lines: {
        onSuccess: [
          { value: file, file: `${folder}/${file}`, origin: { layer: "project", source: "p.yaml", line: 3 } },
        ],
      },
    }) as const

  it("run in their hole, and see what it sees", async () => {
    const ran = await runIt({ code: "return 21", sources: lines("after.ts") })
    expect(ran.emitted).toEqual([42])
  })

  it.each([
    ["gone.ts", "script.onSuccess: the file `gone.ts` is not there (p.yaml:3)"],
    ["bad.ts", "script.onSuccess"],
  ])("fail the run where %s cannot be used, and say which", async (file, message) => {
    const ran = await runIt({ code: "return 21", sources: lines(file) })
    expect(ran.exitCode).toBe(1)
    expect(ran.error?.message).toContain(message)
  })
})
