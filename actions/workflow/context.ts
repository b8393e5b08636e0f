import type { ActionContext } from "../../engine/ports.ts"

/** The same context with less time. The signal stays unread until a step reads it. */
export const within = (context: ActionContext, timeoutMs: number): ActionContext => ({
  hook: context.hook,
  effective: context.effective,
  timeoutMs,
  operation: context.operation,
  get signal() {
    return context.signal
  },
  call: (server, tool, args) => context.call(server, tool, args),
})
