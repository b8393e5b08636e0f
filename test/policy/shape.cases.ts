import type { FindingCase } from "./finding.ts"

/** Texts that are wrong in themselves or in their shape, and some that look wrong and are not. */
export const SHAPE_CASES: Readonly<Record<string, FindingCase>> = {
  "a prefix of an event kind wants observe": {
    text: `version: 1
hooks:
  - { on: call.finished, phase: before, rule: { advise: x } }
`,
    found: ["p.yaml:3:11: error: unknown point `call.finished` (a prefix of an event kind wants `phase: observe`)"],
  },
  "the prefix phase takes inline source only": {
    text: `version: 1
hooks:
  - { on: script, phase: prefix, rule: { advise: x } }
`,
    found: [
      "p.yaml:3:26: error: the phase `prefix` takes inline source only (write its lines as `script.prefix` at the top of the policy)",
    ],
  },
  "an unknown phase": {
    text: `version: 1
hooks:
  - { on: call, phase: befor, rule: { advise: x } }
`,
    found: [
      "p.yaml:3:24: error: unknown phase `befor` for `hooks[0].phase` (did you mean `before`? It is one of before, prefix, onSuccess, onError, suffix, observe)",
    ],
  },
  "an unknown level": {
    text: `version: 1
autonomy.max: aply
hooks:
  - { on: call, phase: before, effect: loud, rule: { advise: x } }
`,
    found: [
      "p.yaml:2:15: error: unknown level `aply` for `autonomy.max` (did you mean `apply`? It is one of off, advise, ask, propose, apply, run)",
      "p.yaml:4:40: error: unknown level `loud` for `hooks[0].effect` (one of off, advise, ask, propose, apply, run)",
    ],
  },
  "keys that the phase always drops are a warning, whatever their value": {
    text: `version: 1
hooks:
  - { on: call, phase: suffix, effect: advise, rule: { advise: x, refuse: y, apply: { result: 1 } } }
`,
    found: [
      "p.yaml:3:67: warning: `refuse` is always dropped in the phase `suffix` (the phase lets through `advise` at most)",
      "p.yaml:3:78: warning: `apply` is always dropped in the phase `suffix` (the phase lets through `advise` at most)",
    ],
  },
  "computed values are not judged": {
    text: `version: 1
hooks:
  - { on: call, phase: before, effect: ask, rule: { refuse: { logic: { var: args.reason } } } }
`,
    found: [],
  },
  "steps with no action or with two": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    workflow:
      entry: first
      steps:
        frst: { run: [x], next: [{ id: second }, { id: third, if: { var: steps.frst.output } }] }
        second: { rule: { advice: x }, prompt: y }
        lost: { next: [] }
`,
    found: [
      "p.yaml:9:40: error: `hooks[0].workflow.steps.second` has more than one action: `rule` and `prompt` (keep one of rule, run, module, prompt, plugin)",
      "p.yaml:10:15: error: `hooks[0].workflow.steps.lost` has no action (give it one of rule, run, module, prompt, plugin)",
    ],
  },
  "every wrong shape is found at once": {
    text: `versio: 1
autonomy: { max: ask }
hook: []
hooks:
  - 3
  - {}
  - { on: call, run: ls -l }
  - { on: call, rule: {}, run: [x], source: "a()" }
  - { on: call, rule: {}, timeoutMs: "5s", enabled: yes, failure: close, may: retry, env: { A: 1 } }
  - { on: call, rule: {}, whn: {}, when: { tol: x, args: { p: 1 } } }
  - { on: " ", plugin: lint }
  - null
ceilings:
  - { id: x }
servers:
  a/b: { url: x }
  c: { command: [x], url: "http://x" }
  d: {}
model: { provider: openai, nam: x }
model.provider: openai
script.before: [a, null, 3]
script.after: x
`,
    found: [
      "p.yaml:1:1: error: unknown key `versio` (did you mean `version`?)",
      "p.yaml:2:1: error: unknown key `autonomy` (write `autonomy.max` with a dot)",
      "p.yaml:3:1: error: unknown key `hook` (did you mean `hooks`?)",
      "p.yaml:5:5: error: `hooks[0]` must be an object, one hook, not a number",
      "p.yaml:6:5: error: `hooks[1]` needs `on`",
      "p.yaml:6:5: error: `hooks[1]` has no action (give it one of rule, run, module, prompt, plugin, workflow)",
      'p.yaml:7:22: error: `hooks[2].run` must be a list of texts, not a shell string (to ask for a shell write ["sh", "-c", "ls -l"])',
      "p.yaml:8:27: error: `hooks[3]` has more than one action: `rule` and `run` (keep one of rule, run, module, prompt, plugin, workflow)",
      "p.yaml:8:37: error: unknown key `source` in `hooks[3]` (inline source is written as `script.<phase>` at the top of the policy)",
      "p.yaml:9:38: error: `hooks[4].timeoutMs` must be a whole number of milliseconds, not a text",
      "p.yaml:9:53: error: `hooks[4].enabled` must be true or false, not a text",
      "p.yaml:9:67: error: unknown value `close` for `hooks[4].failure` (did you mean `closed`? It is one of open, closed)",
      "p.yaml:9:79: error: `hooks[4].may` must be a list: `retry`, tools, programs, modules, not a text",
      "p.yaml:9:96: error: `hooks[4].env.A` must be a text, not a number",
      "p.yaml:10:27: error: unknown key `whn` in `hooks[5]` (did you mean `when`?)",
      "p.yaml:10:44: error: unknown key `tol` in `hooks[5].when` (did you mean `tool`?)",
      "p.yaml:10:63: error: `hooks[5].when.args.p` must be a name, a glob, a /regex/ or a list of these, not a number",
      "p.yaml:11:11: error: `hooks[6].on` must not be empty",
      "p.yaml:11:24: error: `hooks[6].plugin` must be `server/tool`",
      "p.yaml:14:5: error: `ceilings[0]` needs `max`",
      "p.yaml:16:3: error: the name `a/b` does not fit (a server's name holds no slash and no space)",
      "p.yaml:17:6: error: `servers.c` needs one of `command` and `url` (a server is started by `command`, or reached by `url`)",
      "p.yaml:18:6: error: `servers.d` needs one of `command` and `url` (a server is started by `command`, or reached by `url`)",
      "p.yaml:19:28: error: unknown key `nam` in `model` (did you mean `name`?)",
      "p.yaml:20:1: error: `model.provider` is said in `model` too (keep one of them)",
      "p.yaml:21:26: error: `script.before[2]` must be a text or `{file: …}`, not a number",
      "p.yaml:22:1: error: unknown key `script.after` (did you mean `script.before`?)",
    ],
  },
  "one bad entry is named by file, line and pointer": {
    text: `{"hooks":[{"on":"call","phase":"before","run":["sh","-c","echo '{\\"refuse\\":\\"g\\"}'"],"effect":"ask"},{"on":"call","phase":"before","when":{"tool":{"type":"always"}},"run":["true"]},{"type":"command","command":"echo hi"}]}
`,
    options: { file: "hooks.json" },
    found: [
      "hooks.json:1:148: error: `hooks[1].when.tool` must be a name, a glob, a /regex/ or a list of these, not an object",
      "hooks.json:1:183: error: `hooks[2]` needs `on`",
      "hooks.json:1:183: error: `hooks[2]` has no action (give it one of rule, run, module, prompt, plugin, workflow)",
      "hooks.json:1:184: error: unknown key `type` in `hooks[2]` (known here are id, on, phase, when, rule, run, module, prompt, plugin, workflow, effect, floor, failure, timeoutMs, enabled, description, cwd, env, recheck, redact, may)",
      'hooks.json:1:201: error: unknown key `command` in `hooks[2]` (write `run: ["program", "argument"]`)',
    ],
  },
  "keys written twice in JSON, at any depth": {
    text: `{"version": 1, "hooks":[{"id":"r1","on":"call","effect":"ask","effect":"advise","rule":{"refuse":"a","refuse":"b"}}],
 "hooks": []}
`,
    options: { file: "rules.json" },
    found: [
      "rules.json:1:63: error: the key `effect` is written twice (keep one of them)",
      "rules.json:1:102: error: the key `refuse` is written twice (keep one of them)",
      "rules.json:2:2: error: the key `hooks` is written twice (keep one of them)",
    ],
  },
  "keys written twice in YAML, at any depth": {
    text: `version: 1
hooks:
  - on: call
    rule: { advise: { text: a, text: b } }
    on: script
`,
    found: [
      "p.yaml:4:13: warning: `advise` is always dropped in the phase `observe` (the phase lets through `off` at most)",
      "p.yaml:4:32: error: the key `text` is written twice (keep one of them)",
      "p.yaml:5:5: error: the key `on` is written twice (keep one of them)",
    ],
  },
  "a key written beside the same merge twice": {
    text: `version: 1
hooks:
  - &a { on: call, phase: before, rule: { advise: x } }
  - { <<: *a, <<: *a, id: b }
`,
    found: ["p.yaml:4:15: error: the key `<<` is written twice (keep one of them)"],
  },
  "nesting that nothing could walk, in JSON": {
    text: `{"hooks":[{"on":"call","phase":"before","when":{"if":${'{"!":'.repeat(300)}true${"}".repeat(300)}},"run":["x"]}]}`,
    options: { file: "p.json" },
    found: ["p.json:1:1319: error: the policy is nested more than 256 levels deep"],
  },
  "nesting that overflows its reader": {
    text: `{"hooks":[${"[".repeat(50_000)}${"]".repeat(50_000)}]}`,
    options: { file: "p.json" },
    found: ["p.json:1:266: error: the policy is nested more than 256 levels deep"],
  },
  "a number that is none, in JSON": {
    text: '{"hooks":[{"on":"call","phase":"before","run":["x"],"timeoutMs":1e400}]}',
    options: { file: "p.json" },
    found: [
      "p.json:1:65: error: a policy holds no such number",
      "p.json:1:65: error: `hooks[0].timeoutMs` must be a whole number of milliseconds, not a number",
    ],
  },
  "a __proto__ key": {
    text: `version: 1
hooks: [{ on: call, phase: before, effect: apply, rule: { apply: { input: { __proto__: { a: 1 } } } } }]
`,
    found: [
      "p.yaml:2:66: error: the value of `apply` does not fit `apply` (before: {input, meta?}, {result}, {target} or {merge}; onSuccess: {result} or {merge}; onError: {result}, {error} or {merge})",
      "p.yaml:2:77: error: the key `__proto__` is not allowed",
    ],
  },
  "a list that is not closed": {
    text: `version: 1
hooks: [
`,
    found: [
      "p.yaml:3:1: error: this is no YAML: flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
  },
  "a tab as indentation": {
    text: `version: 1
hooks:
	- x
`,
    found: ["p.yaml:3:1: error: this is no YAML: tabs are not allowed as indentation"],
  },
  "a tag that nobody knows": {
    text: `version: !foo 1
`,
    found: ["p.yaml:1:10: error: this is no YAML: unresolved tag: !foo"],
  },
  "a number that is no JSON": {
    text: `version: 1
hooks: [{ on: call, phase: before, rule: { advise: { text: x, data: .inf } } }]
`,
    found: [
      "p.yaml:2:52: error: the value of `advise` does not fit `advise` (it is a text, {text, severity?: info|warning|error, data?}, or a list of them)",
      "p.yaml:2:69: error: a policy holds no such number",
    ],
  },
  "several documents": {
    text: `version: 1
---
version: 1
`,
    found: ["p.yaml:2:1: error: a policy is one document, and here a second one begins"],
  },
  "a text instead of a policy": {
    text: `just a text
`,
    found: ["p.yaml:1:1: error: a policy must be an object of settings, not a text"],
  },
  "a list instead of a policy": {
    text: `- version: 1
`,
    found: ["p.yaml:1:1: error: a policy must be an object of settings, not a list"],
  },
  "comments and nothing else": {
    text: `# nothing
`,
    found: ["p.yaml: error: the policy is empty (the least policy is `version: 1`)"],
  },
  "a trailing comma in JSON": {
    text: `{"version": 1,}
`,
    options: { file: "p.json" },
    found: ["p.json:1:15: error: this is no JSON: a key in double quotes is wanted here"],
  },
  "JSON that is cut off": {
    text: `{"version": 1
`,
    options: { file: "p.json" },
    found: ["p.json:2:1: error: this is no JSON: it ends too early: a comma or `}` is wanted here"],
  },
  "a wrong word in JSON": {
    text: `{"version": tru}
`,
    options: { file: "p.json" },
    found: ["p.json:1:13: error: this is no JSON: a value is wanted here"],
  },
  "anchors and merge keys are taken, and places found through them": {
    text: `version: 1
hooks:
  - &a { on: call, phase: before, rule: { refuse: x } }
  - { <<: *a, id: b, timeoutMs: 5, whn: 3 }
`,
    found: [
      "p.yaml:3:43: warning: `refuse` needs the level `ask` and is dropped, since the hook's effect is `advise` (write `effect: ask`)",
      "p.yaml:4:5: warning: `refuse` needs the level `ask` and is dropped, since the hook's effect is `advise` (write `effect: ask`)",
      "p.yaml:4:36: error: unknown key `whn` in `hooks[1]` (did you mean `when`?)",
    ],
  },
  "another version": {
    text: `version: 2
`,
    found: ["p.yaml:1:10: error: `version` must be 1"],
  },
  "a key that is no text": {
    text: `version: 1
[a]: 1
`,
    found: ["p.yaml:2:1: error: a key must be a text"],
  },
  "anchors that multiply without end": {
    text: `version: 1
a: &a [x,x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]
`,
    found: ["p.yaml: error: its anchors are repeated too often (at most 100 repetitions are taken)"],
  },
  "what does nothing for a server is said": {
    text: `version: 1
servers:
  a: { url: "http://127.0.0.1:1/mcp", maxBytes: 5 }
  b: { command: ["true"], headers: { A: b } }
`,
    found: [
      "p.yaml:3:39: error: `maxBytes` does nothing for a server with `url` (leave it out)",
      "p.yaml:4:27: error: `headers` does nothing for a server with `command` (leave it out)",
    ],
  },
}
