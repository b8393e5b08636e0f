import { register } from "node:module"

/**
 * Has a TypeScript script loaded as an ES module, which scripts are, also in a folder whose `package.json` does not
 * say so or is not there. `.mts` and `.cts` say themselves what they are.
 *
 * @param url the script's file URL
 */
export function loadAsModule(url: string): void {
  if (!/\.tsx?$/.test(url)) return
  const hooks = `export const resolve = async (specifier, context, next) => {
    const found = await next(specifier, context)
    return found.url.split("?")[0] === ${JSON.stringify(url)} ? { ...found, format: "module" } : found
  }`
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}

/** Keeps Node's note on how Detent resolves `import()` in lines off the script's stderr; other warnings pass. */
export function silenceOwnWarning(): void {
  const warn = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith("vm.USE_MAIN_CONTEXT_DEFAULT_LOADER")) return
    Reflect.apply(warn, process, [warning, ...rest])
  }) as typeof process.emitWarning
}
