import { readFile } from "node:fs/promises"
import { Script } from "node:vm"
import { withoutMark } from "../effects/json.ts"
import { SOURCE_PHASES, type SourceLine, type SourcePhase, showOrigin } from "../policy/policy.ts"
import type { Piece, Plan } from "./plan.ts"
import type { SelectedSources } from "./sources.ts"

/** One line above the code, so that line n of the code is line n + 1 here. */
const asExpression = (code: string): string => `(async (script, result, require) => {"use strict"\n${code}\n})`

/** Read too, and not run: a brace that closes the body too early may fit one of the two, and not both. */
const asStatement = (code: string): string => `async function lines(script, result, require) {"use strict"\n${code}\n}`

/**
 * Makes the code of one async function body ready for the child: TypeScript becomes JavaScript.
 *
 * A syntax error is an answer, not a throw: it is raised where the code would have run, so that `onError` and
 * `suffix` meet it. `name` and the place stand in its message; `lineOrigin` may say where a line (1-based) came from.
 */
export async function compilePiece(name: string, code: string, lineOrigin?: (line: number) => string): Promise<Piece> {
  if (isPlainJavaScript(code)) return { name, code: asExpression(code) }
  const { transform } = await import("esbuild")
  try {
    await transform(asStatement(code), { loader: "ts", target: "node20", logLevel: "silent" })
    const { code: done } = await transform(asExpression(code), {
      loader: "ts",
      target: "node20",
      logLevel: "silent",
      charset: "utf8",
    })
    return { name, code: done }
  } catch (error) {
    return { name, broken: describe(name, code, error, lineOrigin) }
  }
}

/** The lines of each phase, joined to one body a phase. */
export async function compilePhases(phases: SelectedSources["phases"]): Promise<Plan["phases"]> {
  const done: Partial<Record<SourcePhase, Piece>> = {}
  for (const phase of SOURCE_PHASES) {
    const lines = phases[phase]
    if (!lines || lines.length === 0) continue
    done[phase] = await compileLines(`script.${phase}`, lines)
  }
  return done
}

/** Lines that cannot be read are broken, as lines that cannot be parsed are: the script meets it where they would run. */
async function compileLines(name: string, given: readonly SourceLine[]): Promise<Piece> {
  const lines: SourceLine[] = []
  for (const line of given) {
    if (line.file === undefined) {
      lines.push(line)
      continue
    }
    try {
      lines.push({ value: withoutMark(await readFile(line.file, "utf8")), origin: line.origin })
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "is not there" : "cannot be read"
      return { name, broken: `${name}: the file \`${line.value}\` ${why} (${showOrigin(line.origin)})` }
    }
  }
  const code = lines.map(({ value }) => value).join("\n")
  return compilePiece(name, code, (line) => originOf(lines, line))
}

/**
 * Code that compiles as it is needs no transform, which saves the start of esbuild. Not where it holds a `<`:
 * `call<Answer>("a/b")` is a comparison in JavaScript.
 */
function isPlainJavaScript(code: string): boolean {
  if (code.includes("<")) return false
  try {
    return [asStatement(code), asExpression(code)].every((text) => new Script(text))
  } catch {
    return false
  }
}

function originOf(lines: readonly SourceLine[], line: number): string {
  let end = 0
  for (const { value, origin } of lines) {
    end += value.split("\n").length
    if (line <= end) return showOrigin(origin)
  }
  return ""
}

interface EsbuildError {
  readonly errors?: readonly {
    readonly text: string
    readonly location: { readonly line: number; readonly column: number; readonly lineText: string } | null
  }[]
}

function describe(name: string, code: string, error: unknown, lineOrigin?: (line: number) => string): string {
  const first = (error as EsbuildError).errors?.[0]
  if (!first) return `${name}: ${error instanceof Error ? error.message : String(error)}`
  const last = code.split("\n").length
  const line = Math.min(Math.max((first.location?.line ?? 2) - 1, 1), last)
  const column = (first.location?.column ?? 0) + 1
  const origin = lineOrigin?.(line)
  const from = origin ? ` in the line from ${origin}` : ""
  const hint = /^\s*import\s/.test(first.location?.lineText ?? "")
    ? " (write `await import(…)`: this is a function's body)"
    : ""
  return `${name}:${line}:${column}: ${first.text}${from}${hint}`
}
