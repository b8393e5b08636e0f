import type { Engine, FireOptions } from "../../engine/engine.ts"
import { OperationError } from "../../engine/errors.ts"
import type { ScriptCall } from "../../exec/types.ts"
import type { Frame } from "../../frames/frames.ts"

/** The frames of a call that stand inside its script's stream: what starts and ends there is the script. */
const INSIDE: readonly Frame["type"][] = Object.freeze(["hook", "ask", "call"])

/** `call()` of a script: through the gate as any call, and then to the server, of which none can be reached from here. */
export const callThrough =
  (engine: Engine, options: Pick<FireOptions, "caller" | "partOf">, tell: (frame: Frame) => void): ScriptCall =>
  async (server, tool, args, signal) => {
    const onFrame = (frame: Frame): void => {
      if (INSIDE.includes(frame.type)) tell(frame)
    }
    const verdict = await engine.around("call", { server, tool, args }, () => unreachable(server, tool), {
      ...options,
      signal,
      onFrame,
    })
    if (verdict.error) throw new OperationError(verdict.error)
    return verdict.result
  }

function unreachable(server: string, tool: string): never {
  const message = `\`${server}/${tool}\` cannot be called: no server can be reached from the command line yet`
  throw new OperationError({ code: "unavailable", message })
}
