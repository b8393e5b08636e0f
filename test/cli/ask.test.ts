import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { askOn } from "../../cli/script/ask.ts"

const questions = [
  { hook: "push", question: "Rewrite history?" },
  { hook: "where", question: "Where to?", choices: ["staging", "nowhere"] },
]

async function ask(typed: string, signal?: AbortSignal) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ""
  output.on("data", (chunk) => {
    shown += String(chunk)
  })
  const asking = askOn(input, output, { approval: "a", questions, event: {}, ...(signal ? { signal } : {}) })
  for (const line of typed.split("\n")) {
    await new Promise((done) => setImmediate(done))
    input.write(`${line}\n`)
  }
  input.end()
  return { answers: await asking, shown }
}

describe("a person at the terminal", () => {
  it("is asked one question a line, with what can be answered", async () => {
    const { answers, shown } = await ask("y\nstaging")
    expect(answers).toEqual(["yes", "staging"])
    expect(shown).toContain("push asks: Rewrite history? [y/N]")
    expect(shown).toContain("where asks: Where to? [staging/nowhere]")
  })

  it("says no by anything that is not yes", async () => {
    expect((await ask("sure\nmoon")).answers).toEqual(["no", "moon"])
  })

  it("says nothing by going away", async () => {
    const input = new PassThrough()
    const asking = askOn(input, new PassThrough(), { approval: "a", questions, event: {} })
    input.end()
    expect(await asking).toEqual(["", ""])
  })

  it("says nothing where the operation is cancelled first", async () => {
    const cancel = new AbortController()
    const asking = askOn(new PassThrough(), new PassThrough(), {
      approval: "a",
      questions,
      event: {},
      signal: cancel.signal,
    })
    cancel.abort()
    expect(await asking).toEqual(["", ""])
  })
})
