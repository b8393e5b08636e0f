import { describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import type { ScriptCall } from "../../exec/types.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { commandLines, folderWith, runIt } from "./engine.ts"

const echo: ScriptCall = async (server, tool, args) => ({ server, tool, args })

describe("call in a script", () => {
  it("gives the answer, in whatever order answers come", async () => {
    const call: ScriptCall = async (_server, _tool, { n }) => {
      await new Promise((done) => setTimeout(done, 60 - 20 * (n as number)))
      return n
    }
    const code = "return [await call('a/b/c', { n: 0 }), await Promise.all([0, 1, 2].map((n) => call('a/b', { n })))]"
    expect((await runIt({ code, call })).value).toEqual([0, [0, 1, 2]])
    expect((await runIt({ code: "return call('a/b/c')", call: echo })).value).toEqual({
      server: "a",
      tool: "b/c",
      args: {},
    })
    expect((await runIt({ code: "return (await call('a/b')) === undefined", call: async () => undefined })).value).toBe(
      true,
    )
  })

  it("carries huge values both ways", async () => {
    const code = "const { args } = await call('a/b', { text: 'ü'.repeat(3e6) }); return args.text.length"
    expect((await runIt({ code, call: echo })).value).toBe(3e6)
  })

  it("rejects with the reason and its code", async () => {
    const call: ScriptCall = async () => {
      throw Object.assign(new Error("secrets are not written by agents"), { code: "refused", data: { rule: 1 } })
    }
    const code =
      "try { await call('fs/write', {}) } catch (error) { return [error instanceof Error, error.message, error.code, error.data] }"
    expect((await runIt({ code, call })).value).toEqual([
      true,
      "secrets are not written by agents",
      "refused",
      { rule: 1 },
    ])
    const uncaught = await runIt({ code: "await call('fs/write', {})", call })
    expect(uncaught).toMatchObject({
      exitCode: 1,
      error: { code: "throw", message: "secrets are not written by agents" },
    })
    expect((await runIt({ code: "await call('fs/write')" })).error).toMatchObject({ code: "unavailable" })
  })

  it.each([
    ["call('tool')", "call needs `server/tool`, not 'tool'"],
    ["call('/tool')", "call needs `server/tool`, not '/tool'"],
    ["call('a/b', [1])", "the arguments of `a/b` are an object, not [ 1 ]"],
    ["call('a/b', { n: 1n })", "the arguments of `a/b` is no JSON: Do not know how to serialize a BigInt"],
  ])("refuses %s before anything is sent", async (expression, message) => {
    let sent = 0
    const call: ScriptCall = async () => ++sent
    const ran = await runIt({ code: `return ${expression}.catch((error) => error.message)`, call })
    expect(ran.value).toBe(message)
    expect(sent).toBe(0)
  })

  it("works in source lines, and keeps the script alive only while it is open", async () => {
    const ran = await runIt({
      code: "await call('a/b'); return 1",
      call: echo,
      sources: commandLines({ suffix: ["emit((await call('s/uffix')).tool)"] }),
    })
    expect(ran).toMatchObject({ exitCode: 0, value: 1, emitted: ["uffix"] })
  })

  it("is cancelled when the script ends without its answer, and tells nothing after the result", async () => {
    const events: string[] = []
    const call: ScriptCall = (_server, _tool, _args, signal) =>
      new Promise((_, fail) => {
        signal.addEventListener("abort", () => {
          events.push("cancelled")
          fail(new Error("cancelled"))
        })
      })
    const code = "void call('a/b').catch(() => {}); process.exit(0)"
    await runIt({ code, call }, { onFrame: (frame) => events.push(frame.type) })
    expect(events).toEqual(["start", "cancelled", "result", "end"])
  })
})

describe("the script point", () => {
  const engineOf = (text: string) => createEngine({ policy: parsePolicy(text, { file: "detent.yaml" }) })

  it("is refused with 126 and the child never starts", async () => {
    const engine = await engineOf(`version: 1
hooks:
  - { id: no, on: script, phase: before, when: { if: { in: ["drop", { var: code }] } }, rule: { refuse: "not here" }, effect: ask }`)
    const ran = await runIt({ code: "emit('drop')" }, {}, engine)
    expect(ran).toMatchObject({
      exitCode: 126,
      outcome: "refuse",
      error: { code: "refused", message: "not here" },
      emitted: [],
    })
    expect(ran.frames.map((frame) => frame.type)).toEqual(["start", "hook", "error", "end"])
    expect(ran.frames.at(-1)).toMatchObject({ exitCode: 126 })
    expect(await runIt({ code: "return 1" }, {}, engine)).toMatchObject({ exitCode: 0, value: 1 })
  })

  it("hands the script what hooks made of its arguments, and shows hooks what came of it", async () => {
    const engine = await engineOf(`version: 1
hooks:
  - { id: more, on: script, phase: before, rule: { apply: { merge: { n: 2 } } }, effect: apply, recheck: false }
  - { id: told, on: script, phase: onSuccess, rule: { advise: "got @result" } }
  - { id: last, on: script, phase: suffix, rule: { advise: "done" } }`)
    const ran = await runIt({ code: "emit('in'); return script.args[0]", args: { n: 1, m: 1 } }, {}, engine)
    expect(ran.value).toEqual({ n: 2, m: 1 })
    expect(ran.frames.map((frame) => frame.type)).toEqual(["start", "hook", "emit", "hook", "result", "hook", "end"])
  })

  it("ends with the script's own code after a failure, and runs again for a retry", async () => {
    const folder = folderWith({})
    const engine = await engineOf(`version: 1
hooks:
  - { id: again, on: script, phase: onError, rule: { run: { retry: true } }, effect: run }`)
    const code = `const fs = require("fs"); artifact("t", "x"); if (fs.existsSync("once")) return "second"; fs.writeFileSync("once", ""); process.exit(9)`
    const ran = await runIt({ code, cwd: folder }, {}, engine)
    expect(ran).toMatchObject({ exitCode: 0, value: "second" })
    expect(ran.frames.flatMap((frame) => (frame.type === "artifact" ? [frame.id] : []))).toEqual(["a1", "a2-1"])
    expect(await runIt({ code: "process.exit(9)" }, {}, engine)).toMatchObject({ exitCode: 9, error: { code: "exit" } })
  })

  it("sends nothing where a hook answers", async () => {
    const engine = await engineOf(`version: 1
hooks:
  - { id: answer, on: script, phase: before, rule: { apply: { result: 42 } }, effect: apply }`)
    expect(await runIt({ code: "emit(1)" }, {}, engine)).toMatchObject({
      exitCode: 0,
      outcome: "answer",
      value: 42,
      emitted: [],
    })
  })
})
