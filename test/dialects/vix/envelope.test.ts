import { describe, expect, it } from "vitest"
import {
  type Envelope,
  EnvelopeError,
  envelopeOf,
  eventOf,
  OWN_SERVER,
  readEnvelope,
  startedByVix,
  vixEventAt,
} from "../../../dialects/vix/envelope.ts"
import { VIX_EVENT_NAMES, type VixEventName } from "../../../dialects/vix/events.ts"
import { checkEvent } from "../../../policy/events.ts"

const COMMON = {
  thread_id: "t1",
  cwd: "/work",
  model: "m",
  permission_mode: "default",
  origin: "user",
  headless: false,
  thread_mode: "chat",
  agent: "general",
  turn_count: 3,
  vix_bin: "/bin/vix",
  socket_path: "/tmp/s",
}
const OF: Record<VixEventName, object> = {
  PreToolUse: { tool_name: "write_file", tool_input: { path: "a" } },
  PostToolUse: { tool_name: "mcp__fs__read", tool_input: { path: "a" }, tool_response: "text", is_error: false },
  UserPromptSubmit: { prompt: "do it" },
  PermissionRequest: { tool_name: "bash", tool_input: { command: "ls" }, requested_dirs: ["/etc"] },
  ThreadStart: { source: "resume" },
  Stop: {},
  PreCompact: { trigger: "auto" },
  PostCompact: { trigger: "manual", summarized_turns: 4, from_tokens: 9000 },
  SubagentStart: { agent_type: "explore", agent_id: "a1", prompt: "look" },
  SubagentStop: { agent_type: "explore", agent_id: "a1", result: "seen", is_error: false },
}
const envelope = (name: VixEventName, more: object = {}): Envelope =>
  ({ ...COMMON, hook_event_name: name, ...OF[name], ...more }) as Envelope

describe("an envelope of vix", () => {
  it.each(VIX_EVENT_NAMES)("of %s is an event of ours, and comes back with every field", (name) => {
    const given = envelope(name)
    const { on, phase, event } = eventOf(readEnvelope(JSON.stringify(given)))
    expect(checkEvent({ ...event, on, phase, caller: { id: "local" } })).toEqual([])
    expect(envelopeOf(name, event)).toEqual(given)
    expect(vixEventAt(on, phase)).toBe(name)
  })

  it("of a tool that failed is an error", () => {
    const { phase, event } = eventOf(envelope("PostToolUse", { is_error: true, tool_response: "no such file" }))
    expect(phase).toBe("onError")
    expect(event.error).toEqual({ code: "error", message: "no such file", response: "no such file" })
  })

  it("tells vix's own tools from those of a server", () => {
    expect(eventOf(envelope("PreToolUse")).event).toMatchObject({ server: OWN_SERVER, tool: "write_file" })
    expect(eventOf(envelope("PostToolUse")).event).toMatchObject({ server: "fs", tool: "read" })
  })

  it("is given to a hook with what other hooks have put in the input's place", () => {
    const { event } = eventOf(envelope("PreToolUse"))
    expect(envelopeOf("PreToolUse", { ...event, args: { path: "b" } }).tool_input).toEqual({ path: "b" })
  })

  it("is made of an event that another host sent", () => {
    const event = { session: "s", cwd: "/w", server: "fs", tool: "write", args: { a: 1 } }
    expect(envelopeOf("PreToolUse", event, { vix_bin: "/bin/detent" })).toEqual({
      hook_event_name: "PreToolUse",
      thread_id: "s",
      cwd: "/w",
      origin: "user",
      tool_name: "mcp__fs__write",
      tool_input: { a: 1 },
      vix_bin: "/bin/detent",
    })
  })

  it.each([
    ["nothing", "", "empty"],
    ["broken JSON", "{", "no JSON"],
    ["a list", "[]", "no JSON object"],
    ["no event", "{}", "no `hook_event_name`"],
    ["an unknown event", '{"hook_event_name":"PreTool"}', "did you mean `PreToolUse`?"],
    ["a tool without a name", '{"hook_event_name":"PreToolUse"}', "needs `tool_name`"],
    [
      "arguments that are no object",
      '{"hook_event_name":"PreToolUse","tool_name":"a","tool_input":"x"}',
      "`tool_input`",
    ],
  ])("that is %s is refused with a sentence", (_, text, why) => {
    expect(() => readEnvelope(text)).toThrow(EnvelopeError)
    expect(() => readEnvelope(text)).toThrow(why)
  })

  it("says whether vix itself started the thread", () => {
    expect([startedByVix(envelope("Stop")), startedByVix(envelope("Stop", { origin: "vix" }))]).toEqual([false, true])
  })
})
