/** The first line of our plugin, by which it is known again. */
const MARK =
  "// Detent for opencode. `detent init --agent opencode` writes this file, and with --remove takes it away.\n"

/** Whether a file is our plugin, of whatever release. */
export const isPlugin = (text: string): boolean => text.startsWith(MARK)

/** The event at which the plugin asks before a tool runs. */
export const PLUGIN_GATE = "tool.execute.before"

/** The command line that a plugin asks; undefined where it holds none. */
export function commandIn(text: string): string | undefined {
  const [, literal] = /^const COMMAND = (".*")$/m.exec(text) ?? []
  return literal === undefined ? undefined : String(JSON.parse(literal))
}

/**
 * opencode's plugin: it asks Detent about tools, prompts and permissions, and tells it of conversations.
 *
 * It stands alone, so that nothing that is gone can keep it from loading: opencode would go on without it. A tool is
 * refused by an error, and arguments are changed in place, since the object itself is what opencode goes on with.
 *
 * @param command the command line that answers
 */
export const pluginText = (
  command: string,
  timeoutMs: number,
): string => `${MARK}import { spawn } from "node:child_process"

const COMMAND = ${JSON.stringify(command)}
const TIMEOUT_MS = ${timeoutMs}

export const Detent = async ({ client, directory }) => {
  const tell = (texts) => {
    for (const message of texts ?? []) {
      const told = client?.app?.log?.({ body: { service: "detent", level: "warn", message } })
      if (told === undefined) console.error("detent: " + message)
      else Promise.resolve(told).catch(() => {})
    }
  }

  const ask = (event, about, gates) =>
    new Promise((resolve) => {
      const failed = (why) => {
        const text = "Detent could not be asked: " + why
        resolve(gates ? { refuse: text } : { notices: [text] })
      }
      const child = spawn("/bin/sh", ["-c", COMMAND], { cwd: directory, detached: true })
      let [out, err] = ["", ""]
      const late = setTimeout(() => {
        failed("it took too long")
        try {
          process.kill(-child.pid, "SIGKILL")
        } catch {}
      }, TIMEOUT_MS)
      child.stdout.setEncoding("utf8").on("data", (text) => (out += text))
      child.stderr.setEncoding("utf8").on("data", (text) => (err += text))
      child.stdin.on("error", () => {})
      child.on("error", (cause) => failed(cause.message))
      child.on("close", (code) => {
        clearTimeout(late)
        if (code !== 0) return failed(err.trim() || "it ended with " + code)
        try {
          resolve(out.trim() === "" ? {} : JSON.parse(out))
        } catch {
          failed("its answer is no JSON")
        }
      })
      child.stdin.end(JSON.stringify({ opencode_event: event, cwd: directory, ...about }))
    }).then((answer) => {
      tell(answer.notices)
      return answer
    })

  const stop = ({ refuse }) => {
    if (refuse !== undefined) throw new Error(refuse)
  }

  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask(
        "tool.execute.before",
        { session_id: input.sessionID, call_id: input.callID, tool_name: input.tool, args: output.args ?? {} },
        true,
      )
      stop(answer)
      if (answer.args === undefined) return
      for (const key of Object.keys(output.args)) delete output.args[key]
      Object.assign(output.args, answer.args)
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask(
        "tool.execute.after",
        {
          session_id: input.sessionID,
          call_id: input.callID,
          tool_name: input.tool,
          args: input.args ?? {},
          output: output.output ?? "",
        },
        true,
      )
      if (answer.output !== undefined || answer.refuse !== undefined) {
        output.output = answer.output ?? "withheld: " + answer.refuse
      }
      // The same text stands in what is shown beside it.
      if (answer.refuse !== undefined) Object.assign(output, { title: "withheld", metadata: {} })
    },
    "permission.ask": async (input, output) => {
      const answer = await ask(
        "permission.ask",
        { session_id: input.sessionID, tool_name: input.permission ?? input.type, args: input.metadata ?? {} },
        true,
      )
      if (answer.refuse !== undefined) output.status = "deny"
    },
    "chat.message": async (input, output) => {
      const texts = (output.parts ?? []).filter((part) => part.type === "text").map((part) => part.text)
      stop(await ask("chat.message", { session_id: input.sessionID, prompt: texts.join("\\n") || " " }, true))
    },
    event: async ({ event }) => {
      if (!["session.created", "session.idle", "session.compacted"].includes(event.type)) return
      const { sessionID, info } = event.properties ?? {}
      await ask(event.type, { session_id: sessionID ?? info?.id }, false)
    },
  }
}
`
