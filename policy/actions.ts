/** What a hook may run. Exactly one a hook. */
export const ACTIONS = Object.freeze({
  rule: { key: "rule", doc: "an output object written in the policy; nothing leaves the process" },
  run: { key: "run", doc: "an argv array, never a shell string: a child process with the event on stdin" },
  module: { key: "module", doc: "a JS or TS module whose default export takes the event, in a worker thread" },
  prompt: { key: "prompt", doc: "a text with @placeholders, sent to a model" },
  plugin: { key: "plugin", doc: "`server/tool`: an MCP tool call with the event as its arguments" },
  workflow: { key: "workflow", doc: "steps of the other actions, with edges and conditions" },
  source: { key: "source", doc: "lines inside the script; written as `script.<phase>`, never in `hooks`" },
  function: { key: "fn", doc: "a host function, only through the TypeScript API" },
} as const)

export type ActionKind = keyof typeof ACTIONS

/** The kinds that a policy file's `hooks` may hold. */
export const FILE_ACTIONS = Object.freeze(["rule", "run", "module", "prompt", "plugin", "workflow"] as const)
