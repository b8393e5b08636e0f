import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutFrame, cutText, fitsLine, LINE_LIMIT, LineReader } from "../../exec/lines.ts"
import type { Frame } from "../../frames/frames.ts"

const lineBytes = (frame: Frame): number => Buffer.byteLength(`${JSON.stringify(frame)}\n`)
const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

describe("cutting", () => {
  it("gives pieces that join to the text, of the length that is allowed, whole characters each", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 9 }), (text, units) => {
        const pieces = cutText(text, units)
        expect(pieces.join("")).toBe(text)
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(units)
          expect(piece).not.toMatch(lone)
        }
      }),
    )
  })

  it.each(["\u0000", "x", "\u2028", "🙂", '"', "\ud800"])("fits each line whatever the text is made of: %j", (char) => {
    const text = char.repeat(Math.ceil((3 * LINE_LIMIT) / char.length))
    const frames: Frame[] = [
      { type: "stdout", text },
      { type: "stderr", text },
      { type: "emit", value: text },
      { type: "log", level: "info", args: ["short", text, { long: text }, 7] },
    ]
    for (const frame of frames) {
      const cut = cutFrame(frame)
      expect(cut.length).toBeGreaterThan(1)
      expect(Math.max(...cut.map(lineBytes))).toBeLessThanOrEqual(LINE_LIMIT)
    }
  })

  it("keeps the order of a log's arguments, and cuts what is no text as JSON", () => {
    const long = "ü".repeat(LINE_LIMIT)
    const cut = cutFrame({ type: "log", level: "warn", args: [1, long, { long }, null] })
    const args = cut.flatMap((frame) => (frame.type === "log" ? frame.args : []))
    expect(args[0]).toBe(1)
    expect(args.at(-1)).toBeNull()
    expect(args.slice(1, -1).join("")).toBe(long + JSON.stringify({ long }))
  })

  it("leaves small frames, and frames of other types, as they are", () => {
    const small: Frame = { type: "stdout", text: "🙂" }
    const big: Frame = { type: "result", value: "x".repeat(2 * LINE_LIMIT) }
    expect(cutFrame(small)).toEqual([small])
    expect(cutFrame(big)).toEqual([big])
    expect([fitsLine(undefined), fitsLine([1]), fitsLine(big.value), fitsLine({ big })]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe("the reader of lines", () => {
  const read = (chunks: readonly (string | Uint8Array)[], limit?: number) => {
    const lines: string[] = []
    let tooLong = 0
    const reader = new LineReader(
      (line) => lines.push(line),
      () => tooLong++,
      limit,
    )
    for (const chunk of chunks) reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
    reader.end()
    return { lines, tooLong }
  }

  it("puts lines together wherever the chunks are cut, inside a character too", () => {
    const bytes = Buffer.from('{"a":"🙂"}\n\n{"b":"ü"}\n{"c":1}')
    const whole = { lines: ['{"a":"🙂"}', '{"b":"ü"}', '{"c":1}'], tooLong: 0 }
    for (let at = 0; at <= bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
  })

  it("skips a line over the limit up to its newline, says so once, and reads the next one well", () => {
    const huge = Buffer.alloc(64 * 1024, "x")
    const chunks = [...Array.from({ length: 320 }, () => huge), '\n{"ping":1}\n']
    expect(read(chunks)).toEqual({ lines: ['{"ping":1}'], tooLong: 1 })
  })

  it("takes a line of exactly the limit, its newline included, and no longer one", () => {
    expect(read([`${"x".repeat(9)}\n`], 10)).toEqual({ lines: ["x".repeat(9)], tooLong: 0 })
    expect(read([`${"x".repeat(10)}\ny\n`], 10)).toEqual({ lines: ["y"], tooLong: 1 })
  })
})
