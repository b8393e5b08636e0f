import { resolve } from "node:path"
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client"
import { type Environment, freshRun, inherited, RUN_VARIABLE } from "../actions/run/environment.ts"
import { findProgram } from "../actions/run/program.ts"
import { OperationError } from "../engine/errors.ts"
import type { ServerEntry } from "../policy/policy.ts"
import { ChildTransport } from "./stdio.ts"

/** A value of a policy: `env:NAME` is the variable's, anything else is itself. */
function resolved(text: string, env: Environment, where: string): string {
  if (!text.startsWith("env:")) return text
  const value = env[text.slice(4)]
  if (value !== undefined) return value
  throw new OperationError({ code: "unavailable", message: `${where} needs the variable \`${text.slice(4)}\`` })
}

const valuesOf = (given: Readonly<Record<string, string>> = {}, env: Environment, where: string) =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, resolved(text, env, `${where}.${name}`)]))

/**
 * The way to a server, not yet taken.
 *
 * @throws OperationError `unavailable` on a program that is not there, or a variable that is not set.
 */
export function transportOf(name: string, entry: ServerEntry, cwd: string, env: Environment): Transport {
  if (entry.url !== undefined) {
    const headers = valuesOf(entry.headers, env, `servers.${name}.headers`)
    return new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers } })
  }
  const argv = entry.command ?? []
  const folder = resolve(cwd, entry.cwd ?? ".")
  const { id, mark } = freshRun(env)
  const own: Record<string, string> = {
    ...inherited(env),
    ...valuesOf(entry.env, env, `servers.${name}.env`),
    [RUN_VARIABLE]: mark,
  }
  const program = findProgram(argv[0] ?? "", folder, own.PATH, folder)
  if ("problem" in program) {
    throw new OperationError({
      code: "unavailable",
      message: `the server \`${name}\` cannot start: ${program.problem}`,
    })
  }
  const { maxBytes } = entry
  const limit = maxBytes === undefined ? {} : { maxBytes }
  return new ChildTransport({ file: program.file, argv, cwd: folder, env: own, mark: id, ...limit })
}
