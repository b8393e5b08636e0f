import type { Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { send } from "./channel.ts"

/**
 * Sends what is written to `process.stdout` and `process.stderr` as messages, so that its order with log, emit and
 * call is kept. Only the last step of the streams is replaced: encodings, callbacks, corking and events stay Node's.
 */
export function captureOutput(): void {
  capture(process.stdout, "stdout")
  capture(process.stderr, "stderr")
}

function capture(stream: Writable, type: "stdout" | "stderr"): void {
  const decoder = new StringDecoder("utf8")
  const tell = (text: string): void => {
    if (text !== "") send({ type, text })
  }
  stream._write = (chunk: string | Uint8Array, encoding, done) => {
    // a character whose bytes come in two writes is held back until it is whole
    tell(decoder.write(typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk)))
    done()
  }
  // without it a stream that was corked writes its chunks one by one
  Object.defineProperty(stream, "_writev", { value: null, configurable: true, writable: true })
  process.once("exit", () => tell(decoder.end()))
}
