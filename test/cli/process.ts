import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { environment, type Ran } from "./capture.ts"

/** The built command. */
export const BIN = fileURLToPath(new URL("../../dist/bin.cjs", import.meta.url))

export interface Start {
  readonly cwd: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly bin?: string
}

/** Runs a command line as a process of its own; its home is `home` in the working folder. */
export function start(words: readonly string[], { cwd, stdin = "", env = {}, bin = BIN }: Start): Ran {
  if (!existsSync(bin)) throw new Error("there is no build: run `npm run build` first")
  const ran = spawnSync(process.execPath, [bin, ...words], {
    cwd,
    input: stdin,
    env: environment(join(cwd, "home"), env),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: ran.status ?? -1, out: ran.stdout, err: ran.stderr }
}

/** The same, while this process goes on: it may be the server that the command asks. */
export async function startBeside(words: readonly string[], { cwd, stdin, env = {}, bin = BIN }: Start): Promise<Ran> {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd,
    env: environment(join(cwd, "home"), env),
    stdio: ["pipe", "pipe", "pipe"],
  })
  child.stdin.end(stdin)
  let [out, err] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text
  })
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? -1)))
  return { code, out, err }
}
