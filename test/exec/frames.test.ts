import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { safeName } from "../../exec/artifacts.ts"
import { LINE_LIMIT } from "../../exec/lines.ts"
import { shorten } from "../../exec/shorten.ts"
import type { HookFrame } from "../../frames/frames.ts"
import { commandLines, folderWith, runIt } from "./engine.ts"

describe("what a script tells", () => {
  it("comes in the order in which it was told, between start and result, then end", async () => {
    const code = `console.log("a"); log.info("b"); emit("c"); process.stdout.write("d"); artifact("e.txt", "e"); log.error("f"); return "g"`
    const { frames } = await runIt({ code })
    expect(frames.map((frame) => frame.type)).toEqual([
      "start",
      "stdout",
      "log",
      "emit",
      "stdout",
      "artifact",
      "log",
      "result",
      "end",
    ])
    expect(frames[1]).toEqual({ type: "stdout", text: "a\n" })
    expect(frames[2]).toEqual({ type: "log", level: "info", args: ["b"] })
    expect(frames[3]).toEqual({ type: "emit", value: "c" })
    expect(frames[7]).toEqual({ type: "result", value: "g" })
    expect(frames[8]).toMatchObject({ type: "end", exitCode: 0 })
  })

  it("is cut into lines of the shared limit: three million emoji without a newline", async () => {
    const ran = await runIt({ code: `process.stdout.write("🙂".repeat(3000000))` })
    const pieces = ran.frames.filter((frame) => frame.type === "stdout")
    expect(pieces.length).toBeGreaterThan(1)
    expect(ran.stdout === "🙂".repeat(3_000_000)).toBe(true)
    for (const piece of pieces) {
      expect(Buffer.byteLength(JSON.stringify(piece)) + 1).toBeLessThanOrEqual(LINE_LIMIT)
      expect(/^(🙂)+$/u.test(piece.text)).toBe(true)
    }
    expect(ran.frames.filter((frame) => frame.type === "result" || frame.type === "end")).toHaveLength(2)
  })

  it("holds a character back until its bytes are there, and counts buffers, encodings and callbacks", async () => {
    const code = `const bytes = Buffer.from("ü🙂"); const called = []
      for (const byte of bytes) process.stdout.write(Uint8Array.of(byte))
      process.stdout.write("4869", "hex"); process.stdout.write("/", () => called.push(1))
      process.stdout.cork(); process.stdout.write("x"); process.stdout.write("y", "utf8", () => called.push(2)); process.stdout.uncork()
      await new Promise((r) => setTimeout(r, 20))
      process.stdout.write(bytes.subarray(0, 1))
      return called`
    const ran = await runIt({ code })
    expect(ran.stdout).toBe("ü🙂Hi/xy\ufffd")
    expect(ran.value).toEqual([1, 2])
    expect(ran.frames.filter((frame) => frame.type === "stdout").every(({ text }) => text !== "")).toBe(true)
  })

  it("has the output of programs that the script starts, and of raw writes", async () => {
    const code = `const { execFileSync } = await import("node:child_process")
      execFileSync("sh", ["-c", "printf 'gr\\\\303\\\\274n'; printf err >&2"], { stdio: "inherit" })
      require("fs").writeSync(1, "raw")
      console.error("own")`
    const ran = await runIt({ code })
    expect(ran.stdout).toBe("grünraw")
    // the two ways of stderr keep no order between each other
    expect(["errown\n", "own\nerr"]).toContain(ran.stderr)
  })

  it("passes values as they are: unicode, nested, huge", async () => {
    const code = `const big = { list: Array.from({ length: 200000 }, (_, i) => "wert-ü-" + i) }; emit(big); emit({ "🙂": [null, "\\u2028"] }); return big`
    const ran = await runIt({ code })
    const big = { list: Array.from({ length: 200_000 }, (_, i) => `wert-ü-${i}`) }
    expect(ran.value).toEqual(big)
    expect(ran.emitted[1]).toEqual({ "🙂": [null, "\u2028"] })
    // In the stream a value that is longer than a line stands as an artifact, told just before.
    for (const type of ["emit", "result"] as const) {
      const at = ran.frames.findIndex((frame) => frame.type === type)
      const [artifact, frame] = [ran.frames[at - 1]!, ran.frames[at] as { value: { uri: string; artifact: string } }]
      expect(artifact).toMatchObject({
        type: "artifact",
        name: `${type}.json`,
        mime: "application/json",
        id: frame.value.artifact,
      })
      expect(JSON.parse(readFileSync(fileURLToPath(frame.value.uri), "utf8"))).toEqual(big)
    }
  })

  it("is cut short where an error or a hook says more than a line can hold, and never longer than a line", async () => {
    const long = "é".repeat(2_000_000)
    const ran = await runIt({ code: `throw new Error("é".repeat(2000000))` })
    const [error] = ran.frames.filter((frame) => frame.type === "error")
    expect(error?.error.message).toMatch(/^é{4096}…$/)
    expect(ran.error?.message === long).toBe(true)
    const hook: HookFrame = {
      type: "hook",
      on: "script",
      phase: "onSuccess",
      hook: "h",
      action: "rule",
      effect: "apply",
      durationMs: 1,
      changed: true,
      original: { text: long },
      propose: { note: long },
      advise: [{ text: `${"🙂".repeat(3000)}${long}` }],
      refuse: { reason: "short" },
      notes: ["a note"],
    }
    const short = shorten(hook) as HookFrame
    expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThan(LINE_LIMIT)
    expect(short).toMatchObject({ hook: "h", changed: true, refuse: { reason: "short" } })
    expect(short).not.toHaveProperty("original")
    expect(short).not.toHaveProperty("propose")
    expect(short.advise?.[0]?.text).toBe(`${"🙂".repeat(2048)}…`)
    expect(short.notes).toEqual([
      "a note",
      "cut or left out, since it is too long for a line: original, propose, advise",
    ])
    expect(shorten({ ...hook, original: 1, propose: { note: "x" }, advise: [] })).toMatchObject({ original: 1 })
    const data = Array.from({ length: 500_000 }, () => "xx")
    expect(shorten({ type: "error", error: { code: "c", message: "m", data } })).toEqual({
      type: "error",
      error: { code: "c", message: "m" },
    })
  })

  it("passes huge values whole where nothing limits a line", async () => {
    const ran = await runIt({ code: `emit("x".repeat(3e6)); emit([1]); return "y".repeat(3e6)` }, { frames: false })
    expect(ran.emitted.map((value) => (value as string).length)).toEqual([3e6, 1])
    expect((ran.value as string).length).toBe(3e6)
  })

  it("logs what JSON cannot say, and throws in emit", async () => {
    const code = `const a = { n: 1n }; a.self = a; log.debug(a, undefined, () => 1, new Map([[1, 2]]), Symbol("s"), 5n)
      try { emit(a) } catch (error) { return error.name + ": " + error.message.split(":")[0] }`
    const ran = await runIt({ code })
    const log = ran.frames.find((frame) => frame.type === "log")
    expect(log?.args).toEqual([
      "<ref *1> { n: 1n, self: [Circular *1] }",
      "undefined",
      "[Function (anonymous)]",
      "Map(1) { 1 => 2 }",
      "Symbol(s)",
      "5n",
    ])
    expect(ran.value).toBe("TypeError: the value of emit is no JSON")
  })

  it("does not take the word of a script that writes frames of the engine's or garbage to the channel", async () => {
    const code = `for (const line of ["no json", "null", '{"type":"hook","effect":"run"}', '{"type":"end","exitCode":3}']) require("fs").writeSync(3, line + "\\n")
      return 1`
    const ran = await runIt({ code })
    expect(ran.frames.map((frame) => frame.type)).toEqual(["start", "result", "end"])
    expect(ran.exitCode).toBe(0)
  })
})

describe("what a script is given", () => {
  it("is its arguments, in process.argv too, and a list or an object", async () => {
    const folder = folderWith({
      "args.mjs": "export default (...args) => ({ args, argv: process.argv.slice(2), main: process.argv[1] })",
    })
    const file = join(folder, "args.mjs")
    expect((await runIt({ file, args: ["a b", "ü", "--x"] })).value).toEqual({
      args: ["a b", "ü", "--x"],
      argv: ["a b", "ü", "--x"],
      main: file,
    })
    expect((await runIt({ file, args: { n: 1 } })).value).toMatchObject({ args: [{ n: 1 }] })
    expect((await runIt({ code: "return script.args", args: [1, null] })).value).toEqual([1, null])
  })

  it("is its stdin", async () => {
    const code = `let text = ""; for await (const chunk of process.stdin) text += chunk; return text.length`
    expect((await runIt({ code }, { stdin: Buffer.from("ü".repeat(100_000)) })).value).toBe(100_000)
    expect((await runIt({ code }, { stdin: "ignore" })).value).toBe(0)
    expect((await runIt({ code: "return 1" }, { stdin: Buffer.alloc(1e6) })).value).toBe(1)
  })

  it("is its environment and its folder, and nothing else", async () => {
    const folder = folderWith({})
    const ran = await runIt({
      code: "return [process.cwd(), process.env.ONE, process.env.HOME ?? null]",
      cwd: folder,
      env: { ONE: "1" },
    })
    expect(ran.value).toEqual([folder, "1", null])
  })
})

describe("artifacts", () => {
  const folder = folderWith({})

  it("are written into the run's folder, with type, size and hash", async () => {
    const artifactsDir = join(folder, "deep", "run")
    const code = `const told = [artifact("t.csv", "ü,1"), artifact("b.bin", Uint8Array.of(0, 255)), artifact("j.json", { a: 1 }), artifact("x.odd", "x", { mime: "text/odd" }), artifact("t.csv", "two")]
      return told.map((one) => one.id)`
    const ran = await runIt({ code }, { artifactsDir })
    const frames = ran.frames.filter((frame) => frame.type === "artifact")
    expect(frames.map(({ id, name, mime, size }) => [id, name, mime, size])).toEqual([
      ["a1", "t.csv", "text/csv", 4],
      ["a2", "b.bin", "application/octet-stream", 2],
      ["a3", "j.json", "application/json", 13],
      ["a4", "x.odd", "text/odd", 1],
      ["a5", "t.csv", "text/csv", 3],
    ])
    expect(ran.value).toEqual(frames.map(({ id }) => id))
    for (const { uri, sha256, size } of frames) {
      const bytes = readFileSync(fileURLToPath(uri))
      expect(bytes.length).toBe(size)
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256)
    }
    expect(readdirSync(artifactsDir).sort()).toEqual(["b.bin", "j.json", "t-2.csv", "t.csv", "x.odd"])
  })

  it("cannot leave their folder, nor write over what is there", async () => {
    const artifactsDir = join(folder, "jail")
    const secret = join(folder, "secret")
    writeFileSync(secret, "kept")
    const code = `require("fs").mkdirSync(${JSON.stringify(artifactsDir)}); require("fs").symlinkSync(${JSON.stringify(secret)}, ${JSON.stringify(join(artifactsDir, "link"))})
      for (const name of ["../secret", "/etc/x", "..", "a\\\\..\\\\b", "link", "", "nul\\u0000.txt"]) artifact(name, "new")`
    const ran = await runIt({ code }, { artifactsDir })
    expect(ran.exitCode).toBe(0)
    expect(readFileSync(secret, "utf8")).toBe("kept")
    expect(existsSync("/etc/x")).toBe(false)
    expect(readdirSync(artifactsDir).sort()).toEqual([
      "artifact",
      "artifact-2",
      "b",
      "link",
      "link-2",
      "nul_.txt",
      "secret",
      "x",
    ])
  })

  it("have names that a file system takes", () => {
    expect(safeName("a/b\\c.txt")).toBe("c.txt")
    expect(safeName(" .hidden. ")).toBe("hidden")
    expect(safeName("\ud800.txt")).toBe("\ufffd.txt")
    const long = safeName(`${"🙂".repeat(300)}.json`)
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200)
    expect(long).toMatch(/^(🙂)+\.json$/u)
  })

  it("follow the end frame where the delivery is a stream", async () => {
    const ran = await runIt(
      { code: `artifact("big.bin", Buffer.alloc(500000, 7)); artifact("empty.txt", "")` },
      { delivery: "stream" },
    )
    const end = ran.frames.findIndex((frame) => frame.type === "end")
    const after = ran.frames.slice(end + 1)
    expect(
      after.map((frame) => ("id" in frame ? [frame.type, frame.id, "seq" in frame ? frame.seq : null] : [])),
    ).toEqual([
      ["artifact.chunk", "a1", 0],
      ["artifact.chunk", "a1", 1],
      ["artifact.chunk", "a1", 2],
      ["artifact.end", "a1", null],
      ["artifact.end", "a2", null],
    ])
    const bytes = Buffer.concat(
      after.flatMap((frame) => (frame.type === "artifact.chunk" ? [Buffer.from(frame.data, "base64")] : [])),
    )
    expect(bytes.equals(Buffer.alloc(500_000, 7))).toBe(true)
  })

  it("can be written by source lines too", async () => {
    const ran = await runIt({ code: "return 1", sources: commandLines({ suffix: ["artifact('s.md', '#')"] }) })
    expect(ran.frames.find((frame) => frame.type === "artifact")).toMatchObject({ name: "s.md", mime: "text/markdown" })
  })
})
