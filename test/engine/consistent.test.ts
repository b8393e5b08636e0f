import { describe, expect, test } from "vitest"
import { consistent } from "../../engine/consistent.ts"
import { engineOf, hook } from "./world.ts"

const text = (value: string) => [{ type: "text", text: value }]
const SENT = { content: text("key=SECRET1"), structuredContent: { key: "SECRET1" } }

/** A tool that promises `{key: text}`, and one that promises nothing. */
const promised = (structured: unknown): boolean =>
  typeof (structured as { key?: unknown } | undefined)?.key === "string"
const free = () => undefined

describe("a result that a hook rewrites", () => {
  test("in its text alone loses the old structured part", () => {
    const shown = { ...SENT, content: text("key=***") }
    expect(consistent(SENT, shown, free)).toEqual({
      result: { content: text("key=***") },
      note: expect.stringMatching(/structured part .* dropped/),
    })
  })

  test("in its text alone is withheld where the tool promises a structured part", () => {
    const { result } = consistent(SENT, { ...SENT, content: text("key=***") }, promised)
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).not.toContain("SECRET1")
  })

  test("in its structured part alone gets its text anew, and keeps what is no text", () => {
    const image = { type: "image", data: "", mimeType: "image/png" }
    const sent = { ...SENT, content: [...SENT.content, image] }
    const { result } = consistent(sent, { ...sent, structuredContent: { key: "***" } }, promised)
    expect(result).toEqual({ structuredContent: { key: "***" }, content: [...text('{"key":"***"}'), image] })
  })

  test("in both forms is taken as it is", () => {
    const shown = { content: text("key=***"), structuredContent: { key: "***" } }
    expect(consistent(SENT, shown, promised)).toEqual({ result: shown })
  })

  test("to something that the tool does not promise is withheld", () => {
    const shown = { content: text("7"), structuredContent: { key: 7 } }
    expect(consistent(SENT, shown, promised).result).toMatchObject({ isError: true })
  })

  test("an error goes out without a structured part that breaks the schema", () => {
    const shown = { isError: true, content: text("disk full"), structuredContent: { code: 28 } }
    expect(consistent(shown, shown, promised).result).toEqual({ isError: true, content: text("disk full") })
    expect(consistent(shown, shown, free).result).toBe(shown)
  })

  test("a result that no hook has touched is the very same object", () => {
    expect(consistent(SENT, SENT, () => false).result).toBe(SENT)
  })

  test("the engine does so for a call, and says so in the stream", async () => {
    const redact = hook("redact", { phase: "onSuccess", rule: { apply: { merge: { content: text("key=***") } } } })
    const engine = engineOf([redact], { fitsResult: () => undefined })
    const verdict = await engine.around("call", { server: "vault", tool: "read" }, () => SENT)
    expect(verdict.result).toEqual({ content: text("key=***") })
    expect(verdict.frames).toContainEqual({ type: "log", level: "warn", args: [expect.stringMatching(/dropped/)] })
  })
})
