import { describe, expect, it } from "vitest"
import "../../../policy/match/re2.ts"
import { readDuration, showDuration } from "../../../dialects/vix/duration.ts"
import { VIX_EVENT_NAMES, VIX_EVENTS, vixEvent } from "../../../dialects/vix/events.ts"
import { compileVixMatcher } from "../../../dialects/vix/matcher.ts"
import { readSpec } from "../../../dialects/vix/spec.ts"
import { pointRow } from "../../../policy/points.ts"

const spec = (more: object = {}) => ({ trigger: { event: "PreToolUse" }, command: "true", ...more })
const read = (value: unknown) => readSpec(typeof value === "string" ? value : JSON.stringify(value), "folder")
const problems = (value: unknown): readonly string[] => {
  const reading = read(value)
  return "problems" in reading ? reading.problems : []
}

describe("the spec of a hook", () => {
  it("is read whole", () => {
    const reading = read({
      id: "block-env-writes",
      name: "Block .env writes",
      enabled: true,
      trigger: { event: "PreToolUse", matcher: "write_file|edit_file" },
      mode: "sync",
      blocking: true,
      command: "$HOME/.vix/hooks/block-env-writes/script.sh",
      cwd: "",
      timeout: "5s",
      created_by: "agent:t1",
    })
    expect(reading).toEqual({
      hook: {
        id: "block-env-writes",
        name: "Block .env writes",
        enabled: true,
        event: "PreToolUse",
        matcher: "write_file|edit_file",
        mode: "sync",
        blocking: true,
        action: { kind: "command", command: "$HOME/.vix/hooks/block-env-writes/script.sh" },
        timeoutMs: 5000,
        createdBy: "agent:t1",
      },
      warnings: [],
    })
  })

  it("needs no more than an event and an action: async, not blocking, ten minutes, all tools, its folder's name", () => {
    expect(read(spec())).toEqual({
      hook: {
        id: "folder",
        enabled: true,
        event: "PreToolUse",
        matcher: "",
        mode: "async",
        blocking: false,
        action: { kind: "command", command: "true" },
        timeoutMs: 600_000,
      },
      warnings: [],
    })
  })

  it("gives a sync hook five seconds where it names no time", () => {
    expect(read(spec({ mode: "sync" }))).toMatchObject({ hook: { timeoutMs: 5000 } })
  })

  it.each(VIX_EVENT_NAMES)("knows the event %s, and may block there only where vix can", (event) => {
    const blocking = spec({ trigger: { event }, mode: "sync", blocking: true })
    expect(problems(spec({ trigger: { event } }))).toEqual([])
    expect(problems(blocking).length).toBe(VIX_EVENTS[event].blocks ? 0 : 1)
  })

  it.each([
    [
      "no action",
      { trigger: { event: "Stop" } },
      "it has no action; one of `command`, `workflow_id`, `workflow`, `prompt` is expected",
    ],
    ["two actions", spec({ prompt: "is it good?" }), "it has `command` and `prompt`; exactly one action runs"],
    [
      "both kinds of workflow",
      {
        trigger: { event: "Stop" },
        workflow_id: "w",
        workflow: { entry_point: { id: "a" }, steps: { a: { type: "if", condition: "x" } } },
      },
      "it has `workflow_id` and `workflow`; exactly one action runs",
    ],
    ["blocking without sync", spec({ blocking: true }), '`blocking` needs `"mode": "sync"`'],
    [
      "blocking where nothing can be vetoed",
      spec({ trigger: { event: "Stop" }, mode: "sync", blocking: true }),
      "`blocking` is for PreToolUse, UserPromptSubmit, PermissionRequest: nothing can be vetoed at Stop",
    ],
    [
      "an unknown event",
      spec({ trigger: { event: "PreTool" } }),
      "`trigger.event` names no event: `PreTool`; did you mean `PreToolUse`?",
    ],
    ["no trigger", { command: "true" }, "`trigger` must be an object with `event`"],
    ["an unknown mode", spec({ mode: "later" }), "`mode` must be `sync` or `async`"],
    [
      "an object where a text belongs",
      spec({ trigger: { event: "PreToolUse", matcher: { type: "always" } } }),
      "`trigger.matcher` must be a text",
    ],
    [
      "a matcher that is no regex",
      spec({ trigger: { event: "PreToolUse", matcher: "(" } }),
      "`trigger.matcher`: the pattern `(`",
    ],
    ["a time that is none", spec({ timeout: "soon" }), "`timeout` must be a time above 0"],
    ["no time at all", spec({ timeout: "0s" }), "`timeout` must be a time above 0"],
    [
      "a workflow whose step is not there",
      {
        trigger: { event: "Stop" },
        workflow: { entry_point: { id: "b" }, steps: { a: { type: "bash", command: "x" } } },
      },
      "`workflow.entry_point.id` names no step: `b`",
    ],
    ["broken JSON", '{"id":', "it is no JSON"],
    ["a key written twice", '{"id":"a","id":"b"}', "the key `id` is written twice in one object"],
    ["a list", "[]", "it must be one JSON object"],
    ["nothing", "\uFEFF", "it is empty; one JSON object is expected"],
  ])("with %s is invalid, and says where", (_, value, problem) => {
    expect(problems(value).join("\n")).toContain(problem)
  })

  it("is in force with a key that vix does not know, and says that it has no effect", () => {
    expect(read(spec({ blockng: true }))).toMatchObject({
      warnings: ["`blockng` has no effect; did you mean `blocking`?"],
    })
  })

  it("says that a matcher has nothing to be held against", () => {
    const reading = read(spec({ trigger: { event: "Stop", matcher: "bash" } }))
    expect(reading).toMatchObject({ warnings: ["`trigger.matcher` has no effect: Stop has nothing to match"] })
  })
})

describe("matchers hold the whole field", () => {
  it.each([
    ["mcp__.*", "mcp__fs__read_file", true],
    ["mcp__.*", "notmcp__fs__read_file", false],
    ["mcp__brave-search", "mcp__brave-search__web", false],
    ["mcp__brave-search__.*", "mcp__brave-search__web", true],
    ["write_file|edit_file", "edit_file", true],
    ["write_file|edit_file", "write_file2", false],
    ["bash", "Bash", false],
    ["", "anything", true],
    ["*", "anything", true],
    [".*", "", true],
    ["bash\n", "bash", false],
    ["(write|edit)_[a-z]+", "edit_file", true],
  ])("`%s` on `%s`: %s", (matcher, field, fits) => {
    expect(compileVixMatcher(matcher)(field)).toBe(fits)
  })
})

describe("times", () => {
  it.each([
    ["5s", 5000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["1.5s", 1500],
    ["5", undefined],
    ["", undefined],
    ["5 s", undefined],
  ])("`%s` is %s ms", (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  it("are written as vix writes them", () => {
    expect([0.4, 12, 1250, 61_000].map(showDuration)).toEqual(["0ms", "12ms", "1.25s", "61s"])
  })
})

it("every event is a moment that its point has", () => {
  for (const name of VIX_EVENT_NAMES) {
    const { on, phase, failed = phase } = vixEvent(name)
    expect(Object.keys(pointRow(on).phases)).toEqual(expect.arrayContaining([phase, failed]))
  }
})
