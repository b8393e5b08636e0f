import type { Engine } from "../engine/engine.ts"
import { OperationError } from "../engine/errors.ts"
import type { FireOptions } from "../engine/given.ts"
import type { ScriptCall } from "../exec/types.ts"
import type { Frame } from "../frames/frames.ts"
import { valueOfResult } from "./result.ts"
import { eventOfCall, type Servers, sender } from "./servers.ts"

/** The frames of a call that stand inside its script's stream: what starts and ends there is the script. */
const INSIDE: readonly Frame["type"][] = Object.freeze(["hook", "ask", "call"])

/** `call()` of a script: through the gate as any call, and then to the server. */
export const callThrough =
  (
    engine: Pick<Engine, "around">,
    servers: Servers,
    options: Pick<FireOptions, "caller" | "partOf" | "autonomy">,
    tell: (frame: Frame) => void,
  ): ScriptCall =>
  async (server, tool, args, signal) => {
    const onFrame = (frame: Frame): void => {
      if (INSIDE.includes(frame.type)) tell(frame)
    }
    const verdict = await engine.around(
      "call",
      await eventOfCall(servers, server, tool, args),
      sender(servers, server, tool),
      {
        ...options,
        signal,
        onFrame,
      },
    )
    if (verdict.error) throw new OperationError(verdict.error)
    return valueOfResult(verdict.result)
  }
