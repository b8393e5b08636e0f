import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import type { Command } from "../../cli/command.ts"
import { COMMANDS } from "../../cli/commands.ts"
import { LIBRARY_NAMES } from "../../policy/library.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { linksOf, type Snippet, snippetsOf } from "./snippets.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), "utf8")

const pages = [
  "README.md",
  "examples/quickstart/README.md",
  ...LIBRARY_NAMES.map((name) => `prompts/library/${name}/README.md`),
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
]
const snippets = pages.flatMap((page) => snippetsOf(page, read(page)))

const home = mkdtempSync(join(tmpdir(), "detent-docs-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs one documented line as a reader would, with no policy or settings of whoever runs the test. */
function shell(line: string) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("DETENT_"))
  const env = {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    ACTIVITY_LOG: join(home, "activity.log"),
    COLUMNS: "1000",
    NO_COLOR: "1",
    FORCE_COLOR: "",
  }
  const command = line.replace(/^npx detent\b/, `"${process.execPath}" dist/bin.cjs`)
  return spawnSync("sh", ["-c", command], { cwd: ROOT, env, encoding: "utf8" })
}

/** The lines of a shell block, without their comments. */
const linesOf = (text: string) => text.split("\n").map((line) => line.replace(/\s+#.*$/, ""))

/** What is wrong with a documented line: a command or a flag that is not there. */
function faultsOf(line: string): string[] {
  const words = line.match(/^npx detent\s+(.*)$/)?.[1]?.split(/\s+/) ?? []
  if (words.length === 0) return []
  const names = [words.slice(0, 2).join(" "), words[0] ?? ""]
  const name = names.find((candidate) => Object.hasOwn(COMMANDS, candidate))
  if (name === undefined) return [`no command ${words[0]}`]
  const row: Command = COMMANDS[name as keyof typeof COMMANDS]
  const flags = row.flags.flatMap(({ name: flag, also }) => [`--${flag}`, `--${also}`])
  return words.filter((word) => word.startsWith("--") && !flags.includes(word)).map((flag) => `${name} has no ${flag}`)
}

/** The one server in a client's file, whatever its client calls the list. */
function entryOf(file: Record<string, Record<string, { command: string | string[]; args?: string[] }>>) {
  const [{ detent: entry } = {}] = Object.values(file)
  return { command: entry?.command ?? "", args: entry?.args ?? [] }
}

/** By how a block is marked: how it is held against what it shows. */
const CHECKS: Readonly<Record<string, (snippet: Snippet, argument: string) => void>> = {
  "yaml policy": ({ text }) => {
    const { warnings } = parsePolicy(text, { file: "docs.yaml", manifestFiles: { read: () => "hooks: []" } })
    expect(warnings.map(({ message }) => message)).toEqual([])
  },
  file: ({ text }, path) => expect(read(path)).toContain(text),
  line: ({ text }, place) => {
    const [path = "", number] = place.split("#")
    expect(JSON.parse(text)).toEqual(JSON.parse(read(path).split("\n")[Number(number) - 1] ?? ""))
  },
  console: ({ text }) => {
    const [command = "", ...output] = text.split("\n")
    expect(shell(command.replace(/^\$ /, "")).stdout.trimEnd()).toBe(output.join("\n"))
  },
  sh: ({ text }) => expect(linesOf(text).flatMap(faultsOf)).toEqual([]),
  // That it starts, test/mcp/documented.test.ts sees.
  "json client": ({ text }) => {
    const { args, command } = entryOf(JSON.parse(text))
    expect(faultsOf([command, ...args].flat().join(" "))).toEqual([])
  },
  text: () => {},
  "js import": ({ text }) => expect(text).toMatch(/from "detent(\/node|\/golden)?"/),
}

const checkOf = ({ language, info }: Snippet): [string, string] => {
  const [kind = "", argument = ""] = info.split("=")
  if (argument !== "") return [kind, argument]
  return [info === "" ? language : `${language} ${info}`, ""]
}

describe("what the docs show", () => {
  it.each(snippets.map((snippet) => [`${snippet.file}:${snippet.line}`, snippet] as const))(
    "is as it is shown: %s",
    (_, snippet) => {
      const [kind, argument] = checkOf(snippet)
      expect(Object.keys(CHECKS)).toContain(kind)
      CHECKS[kind]?.(snippet, argument)
    },
  )

  it("is there: every link leads to a file", () => {
    const dead = pages.flatMap((page) =>
      linksOf(read(page))
        .filter((target) => !existsSync(resolve(ROOT, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(dead).toEqual([])
  })
})

describe("the checks of the docs", () => {
  it("find a block that is shown otherwise than it is", () => {
    const [snippet] = snippetsOf("x.md", "```yaml file=examples/hello/detent.yaml\nversion: 2\n```")
    expect(() => CHECKS.file?.(snippet!, "examples/hello/detent.yaml")).toThrow()
  })

  it("find a command and a flag that are not there", () => {
    expect(faultsOf("npx detent chekc detent.yaml")).toEqual(["no command chekc"])
    expect(faultsOf("npx detent check --strikt")).toEqual(["check has no --strikt"])
    expect(faultsOf("npx detent check --strict")).toEqual([])
  })
})
