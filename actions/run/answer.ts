import { isUtf8 } from "node:buffer"
import { isObject, parseJson, withoutMark } from "../../effects/json.ts"
import type { ActionResult } from "../../engine/ports.ts"
import { type Failed, failed } from "../../frames/failures.ts"
import { type ChildEnd, STDOUT_LIMIT } from "./child.ts"

/** JSON's own white space: anything else that was printed says something, and must be an object. */
const BLANK = /^[ \t\r\n]*$/

/** Of an object that a failing process printed, so many keys are told. */
const IGNORED_LIMIT = 32

/** What a child's end means. Nothing of what it printed is in a failure, but the keys of an object that it printed. */
export function answerOf(end: Exclude<ChildEnd, { how: "unstarted" }>): ActionResult {
  switch (end.how) {
    case "timeout":
    case "stopped":
      return { failed: failed("timeout") }
    case "overflow":
      return { failed: failed("bad-output", { detail: `more than ${STDOUT_LIMIT} bytes on stdout` }) }
    case "killed":
      return { failed: failed("signal", { signal: end.signal, ...ignored(end.stdout) }) }
    case "exited":
      if (end.code !== 0) return { failed: failed("exit", { exitCode: end.code, ...ignored(end.stdout) }) }
      return outputOf(end.stdout)
  }
}

function outputOf(stdout: Uint8Array): ActionResult {
  const text = decode(stdout)
  if (text === undefined) return { failed: failed("bad-output", { detail: "stdout is not UTF-8" }) }
  if (BLANK.test(withoutMark(text))) return { output: undefined }
  const output = read(text)
  return output === undefined ? { failed: failed("bad-output") } : { output }
}

function ignored(stdout: Uint8Array): Pick<Failed, "ignored"> {
  const printed = read(decode(stdout) ?? "")
  const keys = printed ? Object.keys(printed).slice(0, IGNORED_LIMIT) : []
  return keys.length > 0 ? { ignored: keys } : {}
}

/** One JSON object, or undefined. */
function read(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const decode = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined
