import { type JsonObject, parseJson } from "../../effects/json.ts"
import { parsed, readPieces, tooLong } from "./body.ts"
import { MAX_ANSWER_BYTES } from "./provider.ts"
import { Trouble } from "./trouble.ts"

/** What some servers send after the last event. */
const DONE = "[DONE]"

/**
 * Reads a stream of server-sent events, each of which is a JSON object.
 *
 * @throws Trouble on an event that is none, or tells of an error; where the connection is lost; and where there is no event at all.
 */
export async function* readEvents(response: Response): AsyncGenerator<JsonObject> {
  let count = 0
  for await (const data of readData(response)) {
    count++
    if (data.startsWith(DONE)) continue
    const event = parsed(data, parseJson)
    if (event.error) throw new Trouble("the provider broke its answer off with an error", { passing: true })
    yield event
  }
  if (count === 0) throw new Trouble("what the provider sent is no answer")
}

/** The data of each event: its `data` lines, up to an empty one. */
async function* readData(response: Response): AsyncGenerator<string> {
  let data: string[] = []
  let length = 0
  for await (const line of readLines(response)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n")
      data = []
      length = 0
    } else if (line.startsWith("data:")) {
      length += line.length
      if (length > MAX_ANSWER_BYTES) throw tooLong()
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5))
    }
  }
  // Some servers end with the last line and leave the empty one out.
  if (data.length > 0) yield data.join("\n")
}

/** Lines that end in CR, LF or both. The last one may lack its end. */
async function* readLines(response: Response): AsyncGenerator<string> {
  let rest = ""
  for await (const text of readPieces(response)) {
    rest += text
    if (rest.length > MAX_ANSWER_BYTES) throw tooLong()
    if (!/[\r\n]/.test(text)) continue
    // A CR at the end may be half of a pair.
    const end = rest.endsWith("\r") ? rest.length - 1 : rest.length
    const lines = rest.slice(0, end).split(/\r\n|\r|\n/)
    rest = lines.pop()! + rest.slice(end)
    yield* lines
  }
  yield* rest.split(/\r\n|\r|\n/)
}
