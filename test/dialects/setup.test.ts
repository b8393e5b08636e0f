import { describe, expect, it } from "vitest"
import { isOurs } from "../../dialects/setup/command.ts"
import { entriesOf, withOurs, withoutOurs } from "../../dialects/setup/entries.ts"
import { lineOf, readJsonText } from "../../dialects/setup/json-text.ts"
import { SETUP_NAMES, SETUPS, setupRow } from "../../dialects/setup/places.ts"

const entry = { type: "command", command: "detent hook x --on-failure closed || exit 2 # detent" }
const WANTED = { PreToolUse: entry, Stop: entry }
const row = SETUPS["claude-code"]
const added = (text: string | undefined) => withOurs(text, row, WANTED)

/** Configurations as people and programs write them. */
const WRITTEN: Readonly<Record<string, string>> = {
  "nothing but other settings": '{\n  "model": "x"\n}\n',
  "an empty object": "{}\n",
  "one line": '{"model":"x","permissions":{"deny":["Bash(rm *)"]}}',
  "tabs, and no newline at the end": '{\n\t"model": "x",\n\t"env": {}\n}',
  "other hooks on the same event":
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./a.sh" }] }\n    ]\n  },\n  "model": "x"\n}\n',
  "other hooks on another event": '{"hooks":{"Notification":[{"hooks":[{"type":"command","command":"notify"}]}]}}\n',
  "line ends of Windows": '{\r\n  "model": "x",\r\n  "a": [1, 2]\r\n}\r\n',
  "a byte-order mark": '\uFEFF{\n  "model": "x"\n}\n',
  "texts that look like structure": '{\n  "a": "}],{ \\"hooks\\": [",\n  "b": "\\\\"\n}\n',
}

describe("our hooks are put into a configuration", () => {
  it.each(Object.entries(WRITTEN))("and taken out of it again, so that it is as it was: %s", (_, text) => {
    const made = added(text)
    expect(entriesOf(made, "groups").filter((one) => isOurs(one.entry.command))).toHaveLength(2)
    const left = withoutOurs(made, row)
    // What was made for us alone goes altogether.
    expect(left ?? "{}\n").toBe(text)
  })

  it.each(Object.entries(WRITTEN))("with no line changed that is not ours: %s", (_, text) => {
    const made = added(text)
    let from = 0
    for (const line of text.split("\n").map((one) => one.trim().replace(/[{}[\],]+$/, ""))) {
      const at = made.indexOf(line, from)
      expect({ line, at }).toMatchObject({ at: expect.any(Number) })
      expect(at).toBeGreaterThanOrEqual(0)
      from = at
    }
    expect(text.includes("\r\n") ? /[^\r]\n/.test(made) : made.includes("\r")).toBe(false)
  })

  it("once: a second time changes nothing", () => {
    for (const text of Object.values(WRITTEN)) expect(added(added(text))).toBe(added(text))
    expect(added(added(undefined))).toBe(added(undefined))
  })

  it("in the place of older ones, and of some that were written by hand", () => {
    const old = withOurs(undefined, row, { PreToolUse: { ...entry, timeout: 5 }, Gone: entry })
    const byHand = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/bin/detent hook claude-code"}]}]}}'
    for (const text of [old, byHand]) {
      expect(entriesOf(added(text), "groups").map(({ event, entry: one }) => [event, one])).toEqual(
        Object.entries(WANTED),
      )
    }
  })

  it("beside hooks of others that share a group with them", () => {
    const shared = `{"hooks":{"Stop":[{"hooks":[{"command":"a"},${JSON.stringify(entry)},{"command":"b"}]}]}}`
    expect(withoutOurs(shared, row)).toBe('{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}')
  })

  it("and what nobody wrote but us goes as a whole", () => {
    for (const agent of SETUP_NAMES) {
      const one = setupRow(agent)!
      expect(withoutOurs(withOurs(undefined, one, WANTED), one)).toBeUndefined()
    }
  })
})

describe("a configuration that cannot be read is not touched", () => {
  it.each([
    ["no JSON", "{", "it is no JSON"],
    ["comments", '{\n  // mine\n  "a": 1\n}', "it is no JSON"],
    ["a list", "[]", "it is no JSON object"],
    ["hooks that are a list", '{"hooks":[]}', "its `hooks` are no object"],
    ["an event that is no list", '{"hooks":{"Stop":{}}}', "its `hooks.Stop` is no list"],
    ["a key written twice", '{"hooks":{},"hooks":{}}', "written twice"],
  ])("%s", (_, text, why) => {
    expect(() => added(text)).toThrow(why)
  })
})

describe("the commands of others are not taken for ours", () => {
  it.each(["./detent-hook.sh", "my-detent hook x", "echo detent hook", "node detent.js", "", 5])("%s", (command) => {
    expect(isOurs(command)).toBe(false)
  })
})

it("every value of a text knows its place", () => {
  const text = '{\n  "a": [1,\n    {"b": "x"}]\n}'
  const root = readJsonText(text)
  const item = root.children![0]!.node.children![1]!.node
  expect([item.value, lineOf(text, item.start), text.slice(item.start, item.end)]).toEqual([
    { b: "x" },
    3,
    '{"b": "x"}',
  ])
})
