import { inspect } from "node:util"
import { isObject } from "../effects/json.ts"
import { ArtifactFolder } from "./artifacts.ts"
import { Answers, send } from "./channel.ts"
import type { Plan } from "./plan.ts"

const LOG_LEVELS = Object.freeze(["debug", "info", "warn", "error"] as const)

/** What a script sees of Detent: `call`, `emit`, `artifact` and `log`. A script may write over them. */
export function installGlobals(plan: Plan): void {
  const folder = new ArtifactFolder(plan.artifacts.folder, plan.artifacts.prefix)
  const artifact = (name: string, data: unknown, options: { readonly mime?: string } = {}) => {
    if (typeof name !== "string") throw new TypeError(`an artifact's name is a text, not ${inspect(name)}`)
    const { frame, path } = folder.write(name, data, options.mime)
    send({ type: "artifact", frame, path })
    const { type: _, ...told } = frame
    return told
  }
  const log = Object.fromEntries(
    LOG_LEVELS.map((level) => [level, (...args: unknown[]) => send({ type: "log", level, args: args.map(loggable) })]),
  )
  for (const [name, value] of Object.entries({ call: callOver(new Answers()), emit, artifact, log })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false })
  }
}

/** Tells a JSON value at once. Throws a TypeError on what JSON cannot say: a cycle, a bigint, a function. */
function emit(value: unknown): void {
  send({ type: "emit", value: asJson(value, "the value of emit") ?? null })
}

/** The value, after a check that JSON can say it. */
export function asJson(value: unknown, what: string): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw new TypeError(`${what} is no JSON: ${(error as Error).message.split("\n")[0]}`)
  }
  if (text === undefined && value !== undefined) throw new TypeError(`${what} is no JSON: ${inspect(value)}`)
  return value
}

function callOver(answers: Answers) {
  return async (target: string, args: unknown = {}): Promise<unknown> => {
    const slash = typeof target === "string" ? target.indexOf("/") : -1
    if (slash < 1 || slash === target.length - 1) {
      throw new TypeError(`call needs \`server/tool\`, not ${inspect(target)}`)
    }
    if (!isObject(args)) throw new TypeError(`the arguments of \`${target}\` are an object, not ${inspect(args)}`)
    asJson(args, `the arguments of \`${target}\``)
    const answer = await answers.ask(target.slice(0, slash), target.slice(slash + 1), args)
    if (!("error" in answer)) return answer.value
    const { message, ...rest } = answer.error
    throw Object.assign(new Error(message), rest)
  }
}

/** A value as a log line can hold it: a log never throws. Errors become their stack, what is no JSON its inspection. */
function loggable(value: unknown): unknown {
  if (typeof value === "string") return Buffer.from(value).toString()
  if (value instanceof Error) return value.stack ?? String(value)
  if (value instanceof Map || value instanceof Set) return inspect(value)
  try {
    const json = JSON.stringify(value)
    return json === undefined ? inspect(value) : value
  } catch {
    return inspect(value)
  }
}
