import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach } from "vitest"
import type { Io, Out } from "../../cli/io.ts"
import { main } from "../../cli/main.ts"
import { painter } from "../../cli/text/colour.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A fresh folder, gone after the test, with these files in it; a value that is no text is written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "detent-cli-"))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  }
  return folder
}

export interface Surroundings {
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly tty?: boolean
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** An environment without the settings of whoever runs the tests. */
export const environment = (home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  ...more,
})

/** Runs a command line in this process. */
export async function detent(words: readonly string[], given: Surroundings = {}): Promise<Ran> {
  const cwd = given.cwd ?? folderWith()
  const env = environment(join(cwd, "home"), given.env)
  const texts = { out: "", err: "" }
  const outOf = (name: "out" | "err"): Out => ({
    write: (text) => {
      texts[name] += text
    },
    line: (text) => {
      texts[name] += `${text}\n`
    },
    tty: given.tty ?? false,
    columns: given.columns ?? 100,
    paint: painter(given.tty ?? false, env),
    closed: false,
    onClosed: () => {},
  })
  const { stdin = "" } = given
  const io: Io = {
    out: outOf("out"),
    err: outOf("err"),
    stdin: () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
    stdinTty: false,
    env,
    cwd,
  }
  const code = await main(words, io)
  return { code, ...texts }
}

/** Each line of NDJSON. */
export const lines = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

export const EVENT = {
  on: "call",
  phase: "before",
  server: "fs",
  tool: "write_file",
  args: { path: "a.txt", text: "x" },
} as const

/** A policy of rules, in the text of a file. */
export const policy = (hooks: readonly object[], more: object = {}): string =>
  JSON.stringify({ version: 1, ...more, hooks })

export const rule = (id: string, output: object, more: object = {}): object => ({
  id,
  on: "call",
  phase: "before",
  rule: output,
  effect: "run",
  ...more,
})
