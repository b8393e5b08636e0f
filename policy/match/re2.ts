import { RE2JS } from "re2js"
import { type RegexEngine, registerRegexEngine } from "./regex.ts"

/** RE2, for whoever registers it with a copy of `regex.ts` that this file does not see: a bundle has its own. */
export const re2: RegexEngine = Object.freeze({
  compile(source: string) {
    const regex = RE2JS.compile(source, RE2JS.DOTALL)
    return (text: string) => regex.testExact(text)
  },
})

/**
 * Makes RE2 the engine of every regex that needs one. Import this file only where a policy needs it: evaluating re2js
 * takes about 30 ms. Importing it registers already; the call is for bundlers, which may drop a bare import.
 */
export const registerRe2 = (): void => registerRegexEngine(re2)

registerRe2()
