import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { policy, rule } from "../cli/capture.ts"
import { daemonWith, tokenIn } from "./world.ts"

const recorded = (agent: string, name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../fixtures/agents/${agent}/${name}.json`, import.meta.url)), "utf8"),
  )

const BASH = recorded("claude-code", "PreToolUse.Bash")
const REFUSING = policy([rule("no-shell", { refuse: "not @target.command" }, { when: { kind: "shell" } })])
const hook = (agent: string, query = "") => `/v1/hook/${agent}${query}`

describe("POST /v1/hook/{agent}", () => {
  it("answers the exit code, and below it what the agent reads", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const { status, headers, text } = await daemon.send({ path: hook("claude-code"), body: BASH })
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "text/plain; charset=utf-8" })
    const [code, said = ""] = text.split("\n")
    expect(code).toBe("0")
    expect(JSON.parse(said).hookSpecificOutput.permissionDecision).toBe("deny")
    const read = recorded("claude-code", "PreToolUse.Read")
    expect((await daemon.send({ path: hook("claude-code"), body: read })).text).toBe("0")
  })

  it("answers whoever it is from, and takes the event's name where the payload has none", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const codex = recorded("codex", "PreToolUse.Bash")
    const { text } = await daemon.send({ path: hook("claude-code"), body: codex })
    expect(text).toContain('"permissionDecision":"deny"')
    const copilot = { sessionId: "s", timestamp: 1, toolName: "bash", toolArgs: { command: "ls" } }
    expect((await daemon.send({ path: hook("copilot"), body: copilot })).body).toMatchObject({ status: 400 })
    const named = await daemon.send({ path: hook("copilot", "?event=preToolUse"), body: copilot })
    expect(named.text).toContain('"permissionDecision":"deny"')
  })

  it("lets a replacement through that would be a grant, only where it is told to", async () => {
    const daemon = await daemonWith({ policy: policy([rule("ls", { apply: { target: { command: "ls" } } })]) })
    const codex = recorded("codex", "PreToolUse.Bash")
    expect((await daemon.send({ path: hook("codex"), body: codex })).text).toContain('"deny"')
    const granted = await daemon.send({ path: hook("codex", "?rewriteGrants=true"), body: codex })
    expect(granted.text).toContain('"updatedInput":{"command":"ls"')
  })

  it.each([
    ["an agent that is none", "nobody", "", BASH, 404, "there is no agent `nobody`"],
    ["a payload of nobody", "claude-code", "", {}, 400, "of no agent known here"],
    ["a time that is none", "claude-code", "?timeout=soon", BASH, 400, "must be a number of seconds above 0"],
  ])("has a problem with %s", async (_, agent, query, body, status, detail) => {
    const daemon = await daemonWith({ policy: REFUSING })
    const answered = await daemon.send({ path: hook(agent, query), body })
    expect(answered.status).toBe(status)
    expect(answered.body.detail).toContain(detail)
  })

  it("wants the scope `decide`", async () => {
    const daemon = await daemonWith({ policy: REFUSING, tcp: true })
    const reader = await tokenIn(daemon, "reader", { scopes: ["read"] })
    expect((await daemon.send({ path: hook("claude-code"), body: BASH, token: reader })).status).toBe(403)
    const agent = await tokenIn(daemon, "agent")
    expect((await daemon.send({ path: hook("claude-code"), body: BASH, token: agent })).text).toContain("deny")
  })

  it("refuses what could not be written down", async () => {
    const audit = { append: () => Promise.reject(new Error("full")) } as never
    const daemon = await daemonWith({ policy: policy([]), audit })
    const { text } = await daemon.send({ path: hook("claude-code"), body: BASH })
    expect(text).toContain("the decision could not be written to the audit record")
    expect(text).toContain('"permissionDecision":"deny"')
  })

  it("has each moment of a refused call in the record, in order", async () => {
    const rows: Record<string, unknown>[] = []
    const audit = { append: (row: Record<string, unknown>) => Promise.resolve(rows.push(row)) } as never
    const daemon = await daemonWith({ policy: REFUSING, audit })
    await daemon.send({ path: hook("claude-code"), body: BASH })
    expect(rows.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ["before", "refuse"],
      ["onError", "error"],
      ["suffix", "error"],
    ])
  })

  it("passes on an event that no point is about", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const body = { ...BASH, hook_event_name: "OfTomorrow" }
    expect((await daemon.send({ path: hook("claude-code"), body })).text).toBe("0")
  })
})
