import { closeSync, openSync, readSync } from "node:fs"
import { resolve } from "node:path"
import { StringDecoder } from "node:string_decoder"
import type { ExportLines } from "../../store/audit/export.ts"
import type { Call } from "../command.ts"
import { fileError } from "../errors.ts"

const CHUNK = 256 * 1024

/** The lines of a file, read as they are asked for: an export may be larger than memory. */
export const linesOf = (name: string, { io }: Call): ExportLines => {
  const path = resolve(io.cwd, name)
  return function* () {
    let handle: number
    try {
      handle = openSync(path, "r")
    } catch (cause) {
      throw fileError(name, cause)
    }
    try {
      yield* linesIn(handle)
    } catch (cause) {
      throw fileError(name, cause)
    } finally {
      closeSync(handle)
    }
  }
}

function* linesIn(handle: number): Generator<string> {
  const decoder = new StringDecoder("utf8")
  const chunk = Buffer.allocUnsafe(CHUNK)
  let rest = ""
  for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
    const lines = (rest + decoder.write(chunk.subarray(0, read))).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  rest += decoder.end()
  if (rest !== "") yield rest
}
