import { isObject } from "../effects/json.ts"
import type { ActionRunner } from "../engine/ports.ts"
import { failed } from "../frames/failures.ts"

/**
 * A tool of a server as a hook: the event is its arguments, and its structured content the output. The call passes the gate
 * itself; one that is refused, fails, or answers in words alone is a failure of the hook.
 */
export const plugin: ActionRunner<"plugin"> = {
  async run({ target }, event, { call }) {
    const slash = target.indexOf("/")
    let result: unknown
    try {
      result = await call(target.slice(0, slash), target.slice(slash + 1), event)
    } catch (cause) {
      const { code } = cause as { code?: unknown }
      return {
        failed: failed("unavailable", { detail: `the call of \`${target}\` came to \`${String(code ?? "error")}\`` }),
      }
    }
    if (!isObject(result)) return { failed: failed("bad-output") }
    if (result.isError === true) return { failed: failed("throw") }
    if (result.structuredContent !== undefined) return { output: result.structuredContent }
    const { content } = result
    return Array.isArray(content) && content.length > 0 ? { failed: failed("bad-output") } : { output: {} }
  },
}
