import { RE2JS } from "re2js"
import { registerRegexEngine } from "./regex.ts"

/**
 * Makes RE2 the engine of every regex that needs one. Import this file only where a policy needs it: evaluating re2js
 * takes about 30 ms. Importing it registers already; the call is for bundlers, which may drop a bare import.
 */
export const registerRe2 = (): void =>
  registerRegexEngine({
    compile(source) {
      const regex = RE2JS.compile(source, RE2JS.DOTALL)
      return (text) => regex.testExact(text)
    },
  })

registerRe2()
