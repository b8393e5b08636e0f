import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { COMMANDS } from "../../cli/commands.ts"
import { SHELLS } from "../../cli/completion.ts"
import { detent } from "./capture.ts"

const script = async (shell: string) => (await detent(["completion", shell])).out
const has = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0

/** What bash offers for a line, its last word being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(" ")
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _detent; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `${await script("bash")}\n${ask}`], {
    encoding: "utf8",
  })
  expect(stderr).toBe("")
  return stdout.split("\n").filter((word) => word !== "")
}

describe("completion", () => {
  it.each(Object.keys(SHELLS))("for %s names every command and every flag", async (shell) => {
    const text = await script(shell)
    for (const [name, { flags }] of Object.entries(COMMANDS)) {
      for (const word of name.split(" ")) expect(text).toContain(word)
      for (const flag of flags) expect(text).toContain(flag.name)
    }
  })

  it.each(Object.keys(SHELLS).filter(has))("for %s is a script that this shell reads", async (shell) => {
    const { status, stderr } = spawnSync(shell, ["-n"], { input: await script(shell), encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })

  it("for bash offers commands, second words, flags of the command, and values", async () => {
    expect(await offered("detent", "de")).toEqual(["decide"])
    expect(await offered("detent", "hooks", "")).toEqual(["list"])
    expect(await offered("detent", "decide", "--ev")).toEqual(["--event"])
    expect(await offered("detent", "hook", "test", "x", "--ho")).toEqual(["--host", "--hooks-autonomy"])
    expect(await offered("detent", "check", "--po")).toEqual([])
    expect(await offered("detent", "decide", "--autonomy-max", "a")).toEqual(["advise", "ask", "apply"])
    expect(await offered("detent", "completion", "")).toEqual(["bash", "zsh", "fish"])
    expect(await offered("detent", "run", "--script-pre")).toEqual(["--script-prefix"])
  })

  it("for another shell is an error", async () => {
    expect((await detent(["completion", "fishh"])).err).toContain(
      "no completion for the shell `fishh` (did you mean `fish`?)",
    )
  })
})
