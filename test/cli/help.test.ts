import { describe, expect, it } from "vitest"
import { COMMANDS } from "../../cli/commands.ts"
import { widthOf } from "../../cli/text/wrap.ts"
import { detent } from "./capture.ts"

const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]

describe("help", () => {
  it("of all commands is shown without a command, and names each", async () => {
    const { code, out, err } = await detent([])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const name of names) expect(out).toContain(`  ${name} `)
    expect((await detent(["--help"])).out).toBe(out)
    expect((await detent(["-h"])).out).toBe(out)
    expect((await detent(["help"])).out).toBe(out)
  })

  it.each(names)("of %s names every argument, flag, exit code and example", async (name) => {
    const { args, flags, exits, examples } = COMMANDS[name]
    const { code, out } = await detent(["help", ...name.split(" ")])
    expect(code).toBe(0)
    for (const arg of args) expect(out).toContain(arg.name)
    for (const flag of flags) expect(out).toMatch(new RegExp(`^  --${flag.name}\\b`, "m"))
    for (const exit of Object.keys(exits)) expect(out).toMatch(new RegExp(`^  ${exit} `, "m"))
    for (const example of examples) expect(out).toContain(example.line)
    expect((await detent([...name.split(" "), "--help"])).out).toBe(out)
  })

  it.each([60, 80, 120])(
    "of every command fits %i columns, but for examples and what holds no space",
    async (columns) => {
      for (const name of names) {
        const { out } = await detent(["help", ...name.split(" ")], { columns })
        const prose = out.split("\nExamples")[0] ?? ""
        const long = prose.split("\n").filter((line) => widthOf(line) > columns && line.trim().includes(" "))
        expect(long.filter((line) => !line.startsWith("Usage") && !line.startsWith("detent "))).toEqual([])
      }
    },
  )

  it("of what is no command says so", async () => {
    expect(await detent(["help", "chekc"])).toEqual({
      code: 1,
      out: "",
      err: "detent: unknown command `chekc` (did you mean `check`?)\n",
    })
  })
})

it("--version prints the version alone", async () => {
  expect(await detent(["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" })
})

describe("the table of commands", () => {
  it("has no flag twice in a command, in any spelling", () => {
    for (const name of names) {
      const spellings = COMMANDS[name].flags.flatMap((flag) => ["also" in flag ? flag.also : undefined, flag.name])
      const said = spellings.filter((spelling) => spelling !== undefined)
      expect(new Set(said).size).toBe(said.length)
    }
  })

  it("leads to a module with a `run` for each row", async () => {
    for (const name of names) expect(typeof (await COMMANDS[name].run()).run).toBe("function")
  })
})
