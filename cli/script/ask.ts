import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline/promises"
import type { Readable, Writable } from "node:stream"
import type { OpenQuestion, Ports } from "../../engine/ports.ts"
import type { Answer, AskedQuestion } from "../../frames/frames.ts"
import type { Io } from "../io.ts"
import { oneLine } from "../text/plain.ts"

/** What a question that nobody answers comes to. */
const SILENCE = ""

/** Asks the person at the terminal; undefined where there is none, and questions stay unanswered. */
export function terminalAsker(io: Io): Ports["ask"] {
  if (!io.err.tty) return undefined
  return async (open) => {
    // Not stdin, which belongs to the script.
    const input = createReadStream("/dev/tty")
    const output = createWriteStream("/dev/tty")
    try {
      return await askOn(input, output, open)
    } finally {
      input.destroy()
      output.destroy()
    }
  }
}

/** Puts each question on a line of its own; an input that ends is silence, and silence refuses. */
export async function askOn(input: Readable, output: Writable, open: OpenQuestion): Promise<readonly Answer[]> {
  const lines = createInterface({ input, output })
  const closed = new Promise<Answer>((resolve) => {
    lines.once("close", () => resolve(SILENCE))
    input.once("error", () => resolve(SILENCE))
    open.signal?.addEventListener("abort", () => resolve(SILENCE), { once: true })
  })
  const answers: Answer[] = []
  try {
    for (const question of open.questions) {
      const said = await Promise.race([lines.question(promptOf(question)).catch(() => SILENCE), closed])
      answers.push(answerOf(question, said))
    }
    return answers
  } finally {
    lines.close()
  }
}

const promptOf = ({ hook, question, choices }: AskedQuestion): string =>
  `${oneLine(hook)} asks: ${oneLine(question)} [${choices ? choices.map(oneLine).join("/") : "y/N"}] `

/** `y` and `yes` are yes; of choices one has to be written out; all else is taken as it is, and does not go on. */
function answerOf({ choices }: AskedQuestion, said: string): Answer {
  const text = said.trim()
  if (choices) return text
  return /^y(es)?$/i.test(text) ? "yes" : text === "" ? SILENCE : "no"
}
