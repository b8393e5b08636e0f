import { isObject } from "../effects/json.ts"
import type { ErrorValue } from "../frames/frames.ts"
import type { CallAnswer, Message } from "./plan.ts"
import type { ScriptCall } from "./types.ts"

/** Calls that the script left open are given this long (ms) to end after they were cancelled. */
const END_MS = 1000

/** The tool calls that one script has open. */
export class Calls {
  readonly #call: ScriptCall | undefined
  readonly #abort = new AbortController()
  readonly #open = new Set<Promise<void>>()

  constructor(call: ScriptCall | undefined) {
    this.#call = call
  }

  start({ id, server, tool, args }: Extract<Message, { type: "call" }>, answer: (answer: CallAnswer) => void): void {
    const running = this.#run(server, tool, args).then(
      (value) => answer(value === undefined ? { id } : { id, value }),
      (thrown: unknown) => answer({ id, error: told(thrown) }),
    )
    this.#open.add(running)
    void running.finally(() => this.#open.delete(running))
  }

  async #run(server: string, tool: string, args: object): Promise<unknown> {
    if (this.#call) return this.#call(server, tool, { ...args }, this.#abort.signal)
    throw { code: "unavailable", message: `no server \`${server}\` can be reached from here` }
  }

  /** Cancels what is open and lets it end, so that no frame of a call comes after the run's result. */
  async end(): Promise<void> {
    if (this.#open.size === 0) return
    this.#abort.abort(new Error("the script has ended"))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((done) => {
      timer = setTimeout(done, END_MS)
    })
    await Promise.race([Promise.allSettled([...this.#open]), late])
    clearTimeout(timer)
  }
}

/** What the script's `call` throws: the reason, its code and its data. */
function told(thrown: unknown): ErrorValue {
  if (!isObject(thrown)) return { code: "error", message: String(thrown) }
  const { code, message, data } = thrown
  return {
    code: typeof code === "string" && code !== "" ? code : "error",
    message: typeof message === "string" && message !== "" ? message : "the call failed without a message",
    ...(data === undefined ? {} : { data }),
  }
}
