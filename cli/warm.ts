/**
 * The last step of a build: leaves V8's compiled code of the quick bundle beside it, made after a decision, so that the
 * functions that a decision runs are in it.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { codeFile, compileQuick } from "./compiled.ts"
import type { Io, Out } from "./io.ts"

const dist = dirname(dirname(fileURLToPath(import.meta.url)))
const cwd = mkdtempSync(join(tmpdir(), "detent-build-"))
const env = { HOME: cwd }

/** A rule with a condition, a glob and a placeholder, and one that rewrites: the ways that most decisions take. */
const policy = {
  version: 1,
  hooks: [
    {
      id: "refuses",
      on: "call",
      phase: "before",
      when: { kind: ["write"], if: { glob: [{ var: "target.path" }, "**/.env*"] } },
      rule: { refuse: "not @target.path" },
      effect: "ask",
    },
    { id: "rewrites", on: "call", phase: "before", rule: { apply: { merge: { text: "" } } }, effect: "apply" },
  ],
}
const event = { on: "call", phase: "before", server: "fs", tool: "write_file", args: { path: "a.txt", text: "x" } }
const words = ["decide", "--policy", "policy.json", "--event", "-"]

const lost: Out = {
  write: () => {},
  line: () => {},
  tty: false,
  columns: 80,
  paint: (_, text) => text,
  closed: false,
  onClosed: () => {},
}

try {
  rmSync(codeFile(dist), { force: true })
  writeFileSync(join(cwd, "policy.json"), JSON.stringify(policy))
  const stdin = JSON.stringify(event)
  // The first decision leaves the compiled policy in its cache, so that the second takes the way of all later ones.
  spawnSync(process.execPath, [join(dist, "bin.cjs"), ...words], { cwd, env, input: stdin })
  const { script, quick } = compileQuick(dist, {
    require: createRequire(import.meta.url),
    import: (name) => import(join(dist, name)),
  })
  const io: Io = { out: lost, err: lost, stdin: () => Buffer.from(stdin), stdinTty: false, env, cwd }
  const code = await quick(words, io)
  if (code !== 0) throw new Error(`the decision that warms the code ended with ${code}`)
  writeFileSync(codeFile(dist), script.createCachedData())
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
