import { expect, it } from "vitest"
import { FrameStream } from "../../daemon/frame-stream.ts"
import type { Frame } from "../../frames/frames.ts"

const textOf = async ({ stream }: FrameStream): Promise<string[]> =>
  (await new Response(stream).text())
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as Frame).type)

it.each([
  ["nothing yet", [], ["error", "end"]],
  ["its start", [{ type: "log", level: "info", args: ["x"] }], ["log", "error", "end"]],
  ["its result", [{ type: "result", value: 1 }], ["result", "end"]],
  [
    "its end",
    [
      { type: "result", value: 1 },
      { type: "end", exitCode: 0, durationMs: 1 },
    ],
    ["result", "end"],
  ],
] as [string, Frame[], string[]][])(
  "a stream that fails after %s has one outcome and one end",
  async (_, frames, types) => {
    const stream = new FrameStream(() => {})
    for (const frame of frames) stream.frame(frame)
    stream.fail("a fault")
    stream.end()
    expect(await textOf(stream)).toEqual(types)
  },
)
