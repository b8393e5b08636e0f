import { describe, expect, it } from "vitest"
import type { Command } from "../../cli/command.ts"
import { findCommand, parseWords } from "../../cli/parse.ts"

const command: Command = {
  doc: "",
  args: [
    { name: "FILE", doc: "a file", required: true },
    { name: "ARGS", doc: "what is the script's", many: true },
  ],
  flags: [
    { name: "policy", kind: "value", hint: "FILE", doc: "" },
    { name: "level", kind: "value", hint: "LEVEL", values: ["off", "ask"], doc: "", setting: "a.level" },
    { name: "before", also: "script-before", kind: "list", hint: "CODE", doc: "", setting: "script.before" },
    { name: "strict", kind: "switch", doc: "" },
    { name: "help", kind: "switch", doc: "" },
  ],
  examples: [],
  exits: {},
  broken: 1,
  run: () => Promise.reject(new Error("not run here")),
}
const parse = (...words: string[]) => parseWords("run", command, words)

/** The error's message, with its hint. */
const faultOf = (...words: string[]): string => {
  try {
    parse(...words)
  } catch (error) {
    const { message, hint } = error as Error & { hint?: string }
    return hint === undefined ? message : `${message} (${hint})`
  }
  return "none"
}

describe("flags", () => {
  it("stand before and after the arguments", () => {
    const { args, given } = parse("--policy", "p", "f.ts", "a", "--strict", "b")
    expect(args).toEqual(["f.ts", "a", "b"])
    expect(given.value("policy")).toBe("p")
    expect(given.on("strict")).toBe(true)
    expect(given.on("help")).toBe(false)
  })

  it("end at `--`: what follows is passed on, whatever it looks like", () => {
    const { args, given } = parse("f.ts", "--", "--policy", "x", "--", "-v")
    expect(args).toEqual(["f.ts", "--policy", "x", "--", "-v"])
    expect(given.value("policy")).toBeUndefined()
  })

  it("take their value after a space or an equals sign, also an empty one, and `-`", () => {
    expect(parse("f", "--policy=a=b").given.value("policy")).toBe("a=b")
    expect(parse("f", "--policy", "-").given.value("policy")).toBe("-")
    expect(parse("f", "--policy=").given.value("policy")).toBe("")
    expect(parse("f", "--policy=--strict").given.value("policy")).toBe("--strict")
  })

  it("of a list are kept in order, in either spelling", () => {
    const { given } = parse("f", "--before", "a", "--script-before", "b", "--before=c")
    expect(given.values("before")).toEqual(["a", "b", "c"])
    expect(given.settings).toEqual({ "script.before": ["a", "b", "c"] })
  })

  it("of a setting are told by its path", () => {
    expect(parse("f", "--level", "ask").given.settings).toEqual({ "a.level": "ask" })
    expect(parse("f").given.settings).toEqual({})
  })
})

describe("a wrong word is named, with the way to mend it", () => {
  it.each([
    [["f", "--polcy", "x"], "unknown flag `--polcy` of run (did you mean `--policy`?)"],
    [["f", "--verbose"], "unknown flag `--verbose` of run (what is the script's own goes after `--`)"],
    [["f", "-x"], "unknown flag `-x` of run (what is the script's own goes after `--`)"],
    [["f", "--policy"], "`--policy` needs a value (--policy FILE)"],
    [["f", "--policy", "--strict"], "`--policy` needs a value (to give it `--strict`, write `--policy=--strict`)"],
    [["f", "--policy", "a", "--policy", "b"], "`--policy` is given more than once (keep one of them)"],
    [["f", "--strict=yes"], "`--strict` takes no value"],
    [["f", "--level", "aks"], "unknown level `aks` for --level (did you mean `ask`? known are off, ask)"],
    [["f", "--level", "everything"], "unknown level `everything` for --level (known are off, ask)"],
    [[], "run needs FILE: a file (see `detent help run`)"],
  ])("%j", (words, fault) => {
    expect(faultOf(...words)).toBe(fault)
  })

  it("an argument too many", () => {
    const few = { ...command, args: [{ name: "FILE", doc: "" }] }
    expect(() => parseWords("trust", few, ["a", "b"])).toThrow("trust does not take `b`")
  })

  it("and none is missed where only help is asked for", () => {
    expect(parse("--help").given.on("help")).toBe(true)
    expect(parse("-h").given.on("help")).toBe(true)
  })
})

describe("a command", () => {
  const commands = { check: command, "hooks list": command, "hook test": command }

  it("is one word or two", () => {
    expect(findCommand(["check", "x"], commands)).toMatchObject({ name: "check", rest: ["x"] })
    expect(findCommand(["hooks", "list", "x"], commands)).toMatchObject({ name: "hooks list", rest: ["x"] })
  })

  it.each([
    [["chekc"], "unknown command `chekc`"],
    [["serve"], "unknown command `serve`"],
    [["hooks"], "`hooks` needs a second word"],
    [["hook", "--help"], "`hook` needs a second word"],
    [["hook", "vix"], "unknown command `hook vix`"],
    [["toString"], "unknown command `toString`"],
  ])("that is none is named: %j", (words, fault) => {
    expect(() => findCommand(words, commands)).toThrow(fault)
  })
})
