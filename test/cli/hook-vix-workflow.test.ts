import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { everything } from "../mcp/servers.ts"
import { folderWith, type Ran } from "./capture.ts"
import { start, startBeside } from "./process.ts"

const WRITE = {
  hook_event_name: "PreToolUse",
  thread_id: "t1",
  origin: "user",
  tool_name: "write_file",
  tool_input: { path: "a.env", content: "it's $HOME; `id`" },
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A model that answers with what it is told to, and keeps what it was asked. */
async function model(answer: string) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (part) => {
      body += part
    })
    request.on("end", () => {
      asked.push(body)
      const message = { role: "assistant", content: answer }
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify({ id: "x", object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message }] }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { asked, model: { provider: "openai", name: "m", baseUrl: `http://127.0.0.1:${port}/v1`, apiKeyEnv: "KEY" } }
}

const hooked = (spec: object, files: Readonly<Record<string, unknown>> = {}): string =>
  folderWith({
    "home/.vix/hooks/flow/hook.json": {
      trigger: { event: "PreToolUse" },
      mode: "sync",
      blocking: true,
      timeout: "20s",
      ...spec,
    },
    ...files,
  })
const flow = (entry: string, steps: object, more: object = {}): object => ({
  workflow: { entry_point: { id: entry, ...more }, steps },
})
const fire = (cwd: string, words: readonly string[] = []): Promise<Ran> =>
  startBeside(["hook", "vix", ...words], { cwd, stdin: JSON.stringify({ cwd, ...WRITE }), env: { KEY: "k" } })
const decision = ({ out }: Ran): unknown => JSON.parse(out)

describe("a workflow of a folder's hook", () => {
  it("decides by the text of its last step: BLOCK, a JSON decision, or context", async () => {
    const ends = (command: string) => hooked(flow("only", { only: { type: "bash", command } }))
    expect(decision(await fire(ends("echo 'BLOCK: not that'")))).toEqual({ behavior: "deny", reason: "not that" })
    expect(decision(await fire(ends(`echo '{"behavior":"modify","input":{"path":"b"}}'`)))).toMatchObject({
      behavior: "modify",
      input: { path: "b" },
    })
    expect(decision(await fire(ends("echo note")))).toEqual({ behavior: "context", context: "note" })
  })

  it("takes the first edge that holds, hands its parameters on, and runs no step that no edge leads to", async () => {
    const cwd = hooked(
      flow(
        "look",
        {
          look: {
            type: "if",
            condition: "$(event.tool_input.path) contains $(params.ending)",
            next_steps: [
              { id: "deny", execute_if: true, params: { what: "$(event.tool_input.path)" } },
              { id: "pass", execute_if: false },
            ],
          },
          deny: { type: "bash", command: 'echo "BLOCK: $(params.what) after $(steps.look.output)"' },
          pass: { type: "bash", command: "touch passed" },
        },
        { params: { ending: ".env" } },
      ),
    )
    const ran = await fire(cwd)
    expect(decision(ran)).toEqual({ behavior: "deny", reason: "a.env after true" })
    expect(() => readFileSync(join(cwd, "passed"))).toThrow()
  })

  it("never reads a value as shell, and leaves the shell's own substitutions to the shell", async () => {
    const cwd = hooked(
      flow("only", { only: { type: "bash", command: 'printf "%s|%s" "$(event.tool_input.content)" "$(echo own)"' } }),
    )
    expect(decision(await fire(cwd))).toEqual({ behavior: "context", context: "it's $HOME; `id`|own" })
  })

  it("asks the model in an agent step, and reads its object where json_output is set", async () => {
    const { asked, model: settings } = await model('{"risk":"high"}')
    const cwd = hooked(
      flow("judge", {
        judge: {
          type: "agent",
          prompt: "How bad is $(event.tool_input.path)?",
          json_output: true,
          next_steps: [{ id: "deny", execute_if: "$(steps.judge.output.risk) == high" }],
        },
        deny: { type: "bash", command: "echo BLOCK: $(steps.judge.output.risk)" },
      }),
      { "p.json": { version: 1, model: settings } },
    )
    expect(decision(await fire(cwd, ["--policy", "p.json"]))).toEqual({ behavior: "deny", reason: "high" })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("How bad is a.env?")
  })

  it("calls a tool through the gate: what the policy refuses there fails the step, and the action goes on", async () => {
    const steps = {
      ask: {
        type: "tool",
        tool: "all/echo",
        arguments: { message: "$(event.tool_input.path)" },
        next_steps: [{ id: "say" }],
      },
      say: { type: "bash", command: 'echo "BLOCK: $(steps.ask.output)"' },
    }
    const policy = { version: 1, servers: { all: everything() } }
    const guard = {
      id: "no",
      on: "call",
      phase: "before",
      when: { tool: "echo" },
      rule: { refuse: "not from here" },
      effect: "ask",
    }
    const cwd = hooked(flow("ask", steps), { "p.json": policy, "guarded.json": { ...policy, hooks: [guard] } })
    expect(decision(await fire(cwd, ["--policy", "p.json"]))).toEqual({ behavior: "deny", reason: "Echo: a.env" })
    const refused = await fire(cwd, ["--policy", "guarded.json"])
    expect(decision(refused)).toEqual({ behavior: "allow" })
    expect(refused.err).toContain("the call of `all/echo` came to `refused`")
  })

  it("fails open where a step fails, runs in a circle or is out of time, and says which", async () => {
    const failed = await fire(hooked(flow("a", { a: { type: "bash", command: "exit 3" } })))
    expect(decision(failed)).toEqual({ behavior: "allow" })
    expect(failed.err).toContain("the step `a` failed: exit code 3")
    const circle = await fire(hooked(flow("a", { a: { type: "if", condition: "true", next_steps: [{ id: "a" }] } })))
    expect(decision(circle)).toEqual({ behavior: "allow" })
    expect(circle.err).toContain("more than 100 steps")
    const late = await fire(hooked(flow("a", { a: { type: "bash", command: "sleep 30", timeout_sec: 0.2 } })))
    expect(decision(late)).toEqual({ behavior: "allow" })
    expect(late.err).toContain("the step `a` failed")
  })

  it("is found by its name in config/workflow.json beside the folder; a name that is not there skips the hook", async () => {
    const workflow = { entry_point: { id: "a" }, steps: { a: { type: "bash", command: "echo BLOCK: named" } } }
    const cwd = hooked({ workflow_id: "guard" }, { "home/.vix/config/workflow.json": { guard: workflow } })
    expect(decision(await fire(cwd))).toEqual({ behavior: "deny", reason: "named" })
    const missing = await fire(
      hooked({ workflow_id: "gone" }, { "home/.vix/config/workflow.json": { guard: workflow } }),
    )
    expect(decision(missing)).toEqual({ behavior: "allow" })
    expect(missing.err).toContain("gone")
  })
})

describe("an async hook of a folder", () => {
  it("is started and not waited for, gets the envelope, and is recorded when it has ended", async () => {
    const cwd = hooked({ mode: "async", blocking: false, command: "cat > seen.json; sleep 1; touch ended; exit 3" })
    const ran = await fire(cwd)
    expect(ran).toEqual({ code: 0, out: '{"behavior":"allow"}\n', err: "" })
    expect(() => readFileSync(join(cwd, "ended"))).toThrow()
    await vi.waitFor(() => readFileSync(join(cwd, "ended")), 20_000)
    expect(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"))).toMatchObject(WRITE)
    const state = await vi.waitFor(
      () => JSON.parse(readFileSync(join(cwd, "home/.vix/hooks/flow/state.json"), "utf8")) as { recent_runs: object[] },
      20_000,
    )
    expect(state.recent_runs).toMatchObject([{ status: "error", async: true, event: "PreToolUse" }])
  })
})

describe("detent thread create", () => {
  it("takes the message from a file, keeps it, and `threads ID` shows it once as unread", () => {
    const cwd = folderWith({ "note.md": "# Two things\n\n- one\n" })
    const spec = { message_file: join(cwd, "note.md"), cwd, title: "Note" }
    const made = start(["thread", "create"], { cwd, stdin: JSON.stringify(spec) })
    expect(made).toMatchObject({ code: 0, err: "" })
    const { id } = JSON.parse(made.out) as { id: string }
    expect(JSON.parse(start(["threads", "--unread"], { cwd }).out)).toMatchObject({ id, title: "Note", unread: true })
    const shown = start(["threads", id, "--format", "text"], { cwd })
    expect(shown.out).toContain("# Two things\n\n- one\n")
    expect(start(["threads", "--unread"], { cwd }).out).toBe("")
    expect(start(["threads", "nope"], { cwd })).toMatchObject({ code: 1, out: "" })
  })

  it.each([
    ["two messages", { message: "a", message_file: "/b" }, "message"],
    ["no message", {}, "message"],
    ["a file that is not there", { message_file: "/nowhere/x" }, "/nowhere/x"],
    ["a folder that is not there", { message: "a", cwd: "/nowhere" }, "/nowhere"],
  ])("refuses %s, and keeps nothing", (_, spec, named) => {
    const cwd = folderWith()
    const ran = start(["thread", "create"], { cwd, stdin: JSON.stringify({ cwd, ...spec }) })
    expect(ran).toMatchObject({ code: 1, out: "" })
    expect(ran.err).toContain(named)
    expect(start(["threads"], { cwd }).out).toBe("")
  })
})
