import { z } from "zod"
import { BROUGHT } from "../mcp/gateway/exec-arguments.ts"
import { shaped } from "./body.ts"

const object = z.record(z.string(), z.unknown())
const caller = z.union([z.string(), object]).optional().describe("what the caller says of itself")

/** The body of `/v1/call`. */
export const callBody = shaped(
  z.strictObject({
    server: z.string().describe("a server of the policy"),
    tool: z.string().describe("one of its tools"),
    args: object.optional().describe("the tool's arguments"),
    meta: object.optional().describe("the call's `_meta`"),
    session: z.string().optional(),
    agent: z.string().optional(),
    caller,
  }),
)

export type CallBody = ReturnType<(typeof callBody)["read"]>

/** The body of `/v1/exec`. */
export const execBody = shaped(
  z.strictObject({
    file: z.string().optional().describe("a script's file; this or `code`"),
    code: z.string().optional().describe("the body of an async function"),
    args: z.union([z.array(z.unknown()), object]).optional(),
    cwd: z.string().optional().describe("the script's working folder; default: the daemon's"),
    env: z.record(z.string(), z.string()).optional().describe("variables besides the few that every child gets"),
    session: z.string().optional(),
    ...BROUGHT,
    delivery: z.enum(["inline", "stream"]).optional().describe("stream: artifacts' bytes follow the `end` frame"),
    artifacts: z.string().optional().describe("where artifacts are written"),
    timeoutMs: z.number().positive().optional().describe("milliseconds for hooks and retries"),
    caller,
  }),
)

export type ExecBody = ReturnType<(typeof execBody)["read"]>
