import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** Errors that are told by their message alone: their stack leads through Detent and not to the fault. */
const told = new WeakSet<Error>()

/** Marks an error whose message says all that there is to say. */
export function tellsAll<T extends Error>(error: T): T {
  told.add(error)
  return error
}

/** Whether the stack of what was thrown is of no use to the reader. */
export const isToldByMessage = (thrown: unknown): thrown is Error => thrown instanceof Error && told.has(thrown)

/**
 * Puts file and line into the message of a syntax error at import, `file:line:column: message`. Other errors come back
 * as they are.
 *
 * Node keeps the place of an ES module's syntax error to itself until it prints it; so the script is read once more
 * by esbuild, with the modules that it imports.
 */
export async function nameSyntaxError(thrown: unknown, file: string): Promise<unknown> {
  if (!(thrown instanceof Error)) return thrown
  if (thrown.name === "TransformError") return fromTransform(thrown)
  if (!(thrown instanceof SyntaxError)) return thrown
  const place = placeInStack(thrown) ?? (await placeByReading(file)) ?? file
  if (!thrown.message.includes(place)) thrown.message = `${place}: ${thrown.message}`
  return thrown
}

/** TypeScript is read by esbuild, whose message holds the place on its second line. */
function fromTransform(error: Error): Error {
  const found = /^(.+:\d+:\d+): ERROR: (.*)$/m.exec(error.message)
  return found ? tellsAll(new SyntaxError(`${found[1]}: ${found[2]}`)) : error
}

/** CommonJS files and missing exports have their place on the first line of the stack. */
function placeInStack(error: SyntaxError): string | undefined {
  const found = /^(\S.*):(\d+)$/.exec(error.stack?.split("\n")[0] ?? "")
  if (!found) return undefined
  const file = found[1]!.startsWith("file:") ? fileURLToPath(found[1]!) : found[1]!
  return `${file}:${found[2]}`
}

async function placeByReading(file: string): Promise<string | undefined> {
  try {
    const { build } = await import("esbuild")
    const options = { bundle: true, write: false, packages: "external", platform: "node", format: "esm" } as const
    await build({ entryPoints: [file], absWorkingDir: "/", logLevel: "silent", ...options })
    return undefined
  } catch (failure) {
    const { errors } = failure as { errors?: { location: { file: string; line: number; column: number } | null }[] }
    const place = errors?.find((one) => one.location !== null)?.location
    return place ? `${resolve("/", place.file)}:${place.line}:${place.column + 1}` : undefined
  }
}
