import type { CheckName } from "../../policy/check/table.ts"
import type { ManifestFiles } from "../../policy/manifest.ts"
import type { PromptFiles } from "../../policy/prompt-source.ts"
import type { FindingCase } from "./finding.ts"

const PROMPTS: Readonly<Record<string, string>> = {
  "bad.md": "---\nmodel: a\ntemprature: 1\nmodel: b\n---\nJudge @args",
  "raw.md": "---\nmodel: a\n---\n\nJudge: {{{args}}}\n",
  "shown.md":
    "---\nexamples:\n  - { event: {}, output: { refuse: no } }\n  - { event: {}, output: { refuze: no } }\n---\nJudge @args",
}

/** Prompts that are in no file of this machine. */
const PROMPT_FILES: PromptFiles = {
  read(_, file) {
    const text = PROMPTS[file]
    if (text === undefined) throw new Error(`the prompt \`${file}\` is not there`)
    return text
  },
  library: (name) => name,
}

const MANIFESTS: Readonly<Record<string, string>> = {
  "floor.yaml": "hooks:\n  - { on: call, phase: before, rule: { advise: x }, floor: advise }\n",
  "wide.yaml": `hooks:
  - id: a
    on: call
    phase: before
    when: { server: [plug, docs], tool: [plug/do, docs/read] }
    rule: { refuse: x }
    effect: ask
  - { id: b, on: script, phase: before, rule: { advise: x } }
`,
}

/** Manifests that are in no file of this machine. */
const MANIFEST_FILES: ManifestFiles = {
  read(_, file) {
    const text = MANIFESTS[file]
    if (text === undefined) throw new Error(`the manifest \`${file}\` is not there`)
    return text
  },
}

/** For each check a text that it finds something in, and all that is found there. */
export const CHECK_CASES = {
  "unknown-point": {
    text: `version: 1
hooks:
  - { on: cal, phase: before, rule: { advise: x } }
`,
    found: ["p.yaml:3:11: error: unknown point `cal` (did you mean `call`?)"],
  },
  "phase-of-no-point": {
    text: `version: 1
hooks:
  - { on: call, phase: prefix, rule: { advise: x } }
`,
    found: [
      "p.yaml:3:24: error: the point `call` has no phase `prefix` (its phases are before, onSuccess, onError, suffix, observe)",
    ],
  },
  "closed-below-ask": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    rule: { advise: x }
    failure: closed
`,
    found: [
      "p.yaml:6:14: error: `failure: closed` needs an effect of `ask` or above, not `advise` (a hook that may not refuse cannot refuse by failing)",
    ],
  },
  "floor-above-effect": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    rule: { advise: x }
    floor: ask
`,
    found: [
      "p.yaml:6:12: error: the floor `ask` is above the hook's effect `advise` (raise `effect`, or lower the floor to `advise`)",
    ],
  },
  "floor-in-manifest": {
    text: `version: 1
servers:
  plug: { command: [plug], manifest: floor.yaml }
`,
    options: { manifestFiles: MANIFEST_FILES },
    found: [
      "floor.yaml:2:60: error: `hooks[0]` is a hook of a manifest, and these have no floor (declare the hook in a policy, or leave the floor out)",
    ],
  },
  "floor-above-max": {
    text: `version: 1
autonomy.max: advise
hooks:
  - on: call
    phase: before
    rule: { refuse: x }
    effect: ask
    floor: ask
`,
    found: [
      "p.yaml:7:13: warning: the effect `ask` is always lowered to `advise` by `autonomy.max: advise` (write `effect: advise`)",
      "p.yaml:8:12: error: the floor `ask` is above `autonomy.max: advise`, so it could never hold (raise `autonomy.max`, or lower the floor)",
    ],
  },
  "floor-untrusted": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    rule: { refuse: x }
    effect: ask
    floor: ask
`,
    options: { trusted: false },
    found: [
      "p.yaml:7:12: error: `hooks[0]` has a floor in a layer that is not trusted (record the file with `detent trust`, or leave the floor out)",
    ],
  },
  "recheck-needed": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { refuse: x }, effect: ask, failure: closed, recheck: false }
  - { on: call, phase: before, rule: { refuse: y }, effect: ask, floor: ask, recheck: false }
`,
    found: [
      "p.yaml:3:92: error: `recheck: false` does not go with `failure: closed` (what must hold must hold for the final input too)",
      "p.yaml:4:87: error: `recheck: false` does not go with a floor (what must hold must hold for the final input too)",
    ],
  },
  "when-on-missing-field": {
    text: `version: 1
hooks:
  - { on: script, phase: before, rule: { advise: x }, when: { tool: bash } }
  - { on: call, phase: before, rule: { advise: x }, when: { uri: "file:///x" } }
`,
    found: [
      "p.yaml:3:63: error: `when.tool` looks at `tool`, which an event of `script` does not have (its fields are on, phase, session, cwd, caller, file, code, args)",
      "p.yaml:4:61: error: `when.uri` looks at `uri`, which an event of `call` does not have (its fields are on, phase, session, cwd, caller, server, tool, args, kind, target, meta, agent, host, annotations)",
    ],
  },
  "variable-on-missing-field": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    rule: { advise: x }
    when:
      if: { "==": [{ var: result.code }, 1] }
  - on: call
    phase: onSuccess
    rule: { advise: { logic: { var: file } } }
`,
    found: [
      "p.yaml:7:27: error: the condition reads `result`, which an event of `call` does not have in the phase `before` (it is there in onSuccess and suffix)",
      "p.yaml:10:37: error: the condition reads `file`, which an event of `call` does not have (its fields are on, phase, session, cwd, caller, result, server, tool, args, kind, target, meta, agent, host, annotations)",
    ],
  },
  "placeholder-on-missing-field": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: "got @result.text" } }
  - { on: call, phase: before, prompt: "is @file fine?" }
`,
    found: [
      "p.yaml:3:53: error: the text holds `@result.text`, which an event of `call` does not have in the phase `before` (it is there in onSuccess and suffix)",
      "p.yaml:4:44: error: the text holds `@file`, which an event of `call` does not have (its fields are on, phase, session, cwd, caller, server, tool, args, kind, target, meta, agent, host, annotations)",
    ],
  },
  "unknown-placeholder": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: "see @argz.path, me@example.org, @@args" } }
  - { on: call, phase: before, rule: { advise: "see @target.path and @target.pth" } }
`,
    found: [
      "p.yaml:3:53: warning: `@argz` stands for nothing here and stays as it is written (did you mean `@args`?)",
      "p.yaml:4:70: warning: no event has `target.pth`, so `@target.pth` is always null (did you mean `target.path`?)",
    ],
  },
  "prompt-source": {
    text: `version: 1
hooks:
  - { on: call, phase: before, prompt: { text: x, file: y.md } }
  - { id: b, on: call, phase: before, prompt: { model: m } }
  - { id: c, on: call, phase: before, prompt: { file: gone.md } }
  - { id: d, on: call, phase: before, prompt: { file: bad.md } }
`,
    options: { promptFiles: PROMPT_FILES },
    found: [
      "p.yaml:3:40: error: the prompt is said twice: text, file (give it one of text, file, library)",
      "p.yaml:4:47: error: the prompt says nothing (give it one of text, file, library)",
      "p.yaml:5:47: error: the prompt `gone.md` is not there",
      "bad.md:3:1: error: unknown key `temprature` (did you mean `temperature`?)",
      "bad.md:4:1: error: the key `model` is written twice (keep one of them)",
    ],
  },
  "prompt-template": {
    text: `version: 1
hooks:
  - id: a
    on: call
    phase: before
    prompt: |
      Judge @args.
        Raw: {{{tool}}} and {{& tool}}
      {{=<% %>=}}
  - { id: b, on: call, phase: before, prompt: { text: "{{#args}}", system: "{{> rules}}" } }
  - { id: c, on: call, phase: before, prompt: { file: raw.md } }
`,
    options: { promptFiles: PROMPT_FILES },
    found: [
      "p.yaml:8:14: error: a raw tag pastes a value as it is, and no value may be pasted (write `{{tool}}` or `@tool`: both are encoded)",
      "p.yaml:8:29: error: a raw tag pastes a value as it is, and no value may be pasted (write `{{tool}}` or `@tool`: both are encoded)",
      "p.yaml:9:7: error: a template's delimiters stay `{{` and `}}` (leave this tag out)",
      'p.yaml:10:55: error: the tags do not match: unclosed section "args" (close every `{{#name}}` with `{{/name}}`)',
      "p.yaml:10:77: error: there is no partial `rules` (give it in `partials`)",
      "raw.md:5:8: error: a raw tag pastes a value as it is, and no value may be pasted (write `{{args}}` or `@args`: both are encoded)",
    ],
  },
  "prompt-example": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    effect: ask
    prompt:
      text: Judge @args
      examples:
        - { event: { args: {} }, output: { refuse: "" } }
        - { event: { args: {} }, output: { apply: { result: 1 } } }
        - { event: { args: {} }, output: { refuze: x } }
        - { event: { args: {} }, output: { refuse: no, advise: good } }
  - { id: in-a-file, on: call, phase: before, effect: advise, prompt: { file: shown.md } }
`,
    options: { promptFiles: PROMPT_FILES },
    found: [
      "p.yaml:9:44: error: an example's `refuse` has a value that does not fit the phase `before` (an example is an answer that counts)",
      "p.yaml:10:44: error: an example answers with `apply`, which the hook's effect `ask` drops (write `effect: apply`, or another example)",
      "p.yaml:11:44: error: an example answers with the unknown key `refuze` (did you mean `refuse`?)",
      "shown.md:4:36: error: an example answers with the unknown key `refuze` (did you mean `refuse`?)",
    ],
  },
  "prompt-unheard": {
    text: `version: 1
hooks:
  - { on: call., prompt: "Look at @args" }
  - { id: b, on: call, phase: before, effect: off, prompt: "Look at @args" }
`,
    found: [
      "p.yaml:3:26: warning: what this prompt's model says never counts: the phase `observe` honours nothing (ask it in another phase, or drop it)",
      "p.yaml:4:60: warning: what this prompt's model says never counts: the hook's effect is `off` (ask it in another phase, or drop it)",
    ],
  },
  "unknown-rule-key": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advice: x, allow: true } }
`,
    found: [
      "p.yaml:3:40: error: unknown key `advice` in `hooks[0].rule` (did you mean `advise`?)",
      "p.yaml:3:51: error: unknown key `allow` in `hooks[0].rule` (nothing can allow: a hook without an opinion answers {})",
    ],
  },
  "value-does-not-fit": {
    text: `version: 1
hooks:
  - { on: call, phase: before, effect: run, rule: { refuse: "", apply: { error: { message: m } } } }
  - { on: call, phase: onSuccess, effect: apply, rule: { apply: { input: {} } } }
  - { on: call, phase: suffix, rule: { advise: [] } }
  - { on: call, phase: before, effect: apply, rule: { apply: { input: a text } } }
  - { on: prompt, phase: before, effect: apply, rule: { apply: { input: { a: object } } } }
`,
    found: [
      "p.yaml:3:61: error: the value of `refuse` does not fit `refuse` (it is a text, or {reason, code?, data?})",
      "p.yaml:3:72: error: the value of `apply` does not fit the phase `before` (before: {input, meta?}, {result}, {target} or {merge}; onSuccess: {result} or {merge}; onError: {result}, {error} or {merge})",
      "p.yaml:4:65: error: the value of `apply` does not fit the phase `onSuccess` (before: {input, meta?}, {result}, {target} or {merge}; onSuccess: {result} or {merge}; onError: {result}, {error} or {merge})",
      "p.yaml:5:48: error: the value of `advise` does not fit `advise` (it is a text, {text, severity?: info|warning|error, data?}, or a list of them)",
      "p.yaml:6:71: error: the value of `apply.input` does not fit the point `call` (arguments are replaced by an object)",
      "p.yaml:7:73: error: the value of `apply.input` does not fit the point `prompt` (a prompt is replaced by a text)",
    ],
  },
  "key-above-effect": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { refuse: x } }
`,
    found: [
      "p.yaml:3:40: warning: `refuse` needs the level `ask` and is dropped, since the hook's effect is `advise` (write `effect: ask`)",
    ],
  },
  "bad-ceiling-logic": {
    text: `version: 1
ceilings:
  - { max: ask, if: { starts_with: [{ var: tool }, x] } }
`,
    found: [
      "p.yaml:3:23: error: unknown operation `starts_with` (write `matches` with `start.*`, or `under` for a folder)",
    ],
  },
  "bad-logic": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { if: { "===>": [1, 2] } } }
  - { on: call, phase: before, rule: { advise: x }, when: { if: { matches: [{ var: tool }, "(a"] } } }
`,
    found: [
      "p.yaml:3:67: error: unknown operation `===>` (did you mean `===`?)",
      "p.yaml:4:92: error: the pattern `(a` is not a valid regex: missing closing ): `(?s)(a` (the syntax is RE2's; put a backslash before a character that is meant literally)",
    ],
  },
  "bad-pattern": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { tool: [bash, '/(?=a)b/'] } }
`,
    found: [
      "p.yaml:3:74: error: `when.tool`: the pattern `(?=a)b` is not a valid regex: invalid or unsupported Perl syntax: `(?=` (the syntax is RE2's, which runs in linear time: there are no backreferences and no lookaround)",
    ],
  },
  "prefix-of-no-kind": {
    text: `version: 1
hooks:
  - { on: cal.finished, rule: {} }
  - { on: "*", rule: {} }
  - { on: call, rule: {} }
`,
    found: ["p.yaml:3:11: warning: no event kind begins with `cal.finished` (did you mean `call.finished`?)"],
  },
  "always-lowered": {
    text: `version: 1
autonomy.max: propose
ceilings: [{ id: freeze, max: ask }]
hooks:
  - { on: call, phase: before, effect: run, rule: { advise: x } }
  - { on: call, phase: suffix, effect: ask, rule: { advise: x } }
  - { on: call, effect: ask, rule: { advise: x } }
`,
    found: [
      "p.yaml:5:40: warning: the effect `run` is always lowered to `ask` by `autonomy.max: propose` and the ceiling `freeze` (write `effect: ask`)",
      "p.yaml:6:40: warning: the effect `ask` is always lowered to `advise` by the phase `suffix` (write `effect: advise`)",
      "p.yaml:7:25: warning: the effect `ask` is always lowered to `off` by the phase `observe` (a hook without `phase` observes)",
      "p.yaml:7:38: warning: `advise` is always dropped in the phase `observe` (the phase lets through `off` at most)",
    ],
  },
  "ceiling-disables": {
    text: `version: 1
ceilings:
  - { id: quiet, if: { "==": [{ var: caller.id }, bot] }, max: advise }
hooks:
  - { id: guard, on: call, phase: before, effect: ask, rule: { refuse: x } }
  - { id: editor, on: call, phase: before, effect: apply, rule: { apply: { input: {} } } }
`,
    found: [
      "p.yaml:3:64: warning: where it matches, the ceiling `quiet` switches off hooks that may refuse: `guard` (a ceiling of `ask` still lets them refuse)",
    ],
  },
  "ceiling-reads-claims": {
    text: `version: 1
ceilings:
  - { if: { "==": [{ var: caller.claims.env }, prod] }, max: ask }
`,
    found: [
      "p.yaml:3:27: warning: the ceiling `ceilings[0]` reads `caller.claims`, which the caller says of itself (read what its token's record says, such as `caller.id`)",
    ],
  },
  "guard-reads-claims": {
    text: `version: 1
hooks:
  - { id: guard, on: call, phase: before, effect: ask, rule: { refuse: x }, when: { if: { var: caller.claims } } }
  - { id: note, on: call, phase: before, rule: { advise: x }, when: { if: { var: caller.claims } } }
`,
    found: [
      "p.yaml:3:96: warning: `guard` reads `caller.claims`, which the caller says of itself (read what its token's record says, such as `caller.id`)",
    ],
  },
  "unknown-kind": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { kind: [writ, edit, "s*"] } }
`,
    found: ["p.yaml:3:68: warning: no tool is of the kind `writ` (did you mean `write`?)"],
  },
  "unknown-server": {
    text: `version: 1
servers: { fs: { command: [npx, x] } }
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { server: [fss, claude-code, "f*"], tool: [sql/query, fs/read, read, "x*/y"] } }
`,
    found: [
      "p.yaml:4:70: warning: no server is called `fss` (did you mean `fs`?)",
      "p.yaml:4:102: warning: no server is called `sql` (the servers here are fs)",
    ],
  },
  "unknown-plugin-server": {
    text: `version: 1
servers: { fs: { command: [npx, x] } }
hooks:
  - { on: call, phase: before, plugin: lint/check }
`,
    found: ["p.yaml:4:40: warning: no server is called `lint` (the servers here are fs)"],
  },
  "never-matches": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { tool: ['/a^b/', '/^(a|b)$/', '/a$b/', '/[$^]x\\$y/', '/(^a|b$)/'] } }
`,
    found: [
      "p.yaml:3:68: warning: the pattern `/a^b/` of `when.tool` can never match (`^` and `$` stand at the ends only)",
      "p.yaml:3:90: warning: the pattern `/a$b/` of `when.tool` can never match (`^` and `$` stand at the ends only)",
    ],
  },
  "ceiling-ordering": {
    text: `version: 1
ceilings:
  - { max: ask, if: { ">": [{ var: args.n }, 3] } }
`,
    found: [
      'p.yaml:3:29: warning: `args.n` may be missing, and then counts as 0 in this test (guard it with {"!": [{"missing": ["args.n"]}]} in an `and`, or give it a default)',
    ],
  },
  "ordering-on-missing": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    rule: { advise: x }
    when:
      if: { "<": [{ var: args.amount }, 100] }
`,
    found: [
      'p.yaml:7:19: warning: `args.amount` may be missing, and then counts as 0 in this test (guard it with {"!": [{"missing": ["args.amount"]}]} in an `and`, or give it a default)',
    ],
  },
  "unknown-variable": {
    text: `version: 1
hooks:
  - { on: call, phase: before, rule: { advise: x }, when: { if: { "==": [{ var: arg.path }, x] } } }
  - { on: call, phase: before, rule: { advise: y }, when: { if: { matches: [{ var: target.comand }, 'rm .*'] } } }
  - { on: call, phase: before, rule: { advise: z }, when: { if: { "!!": { var: caller.team.lead } } } }
`,
    found: [
      "p.yaml:3:81: warning: no event has `arg`, so it is always null (did you mean `args`?)",
      "p.yaml:4:84: warning: no event has `target.comand`, so it is always null (did you mean `target.command`?)",
    ],
  },
  "ceiling-variable": {
    text: `version: 1
ceilings:
  - { if: { "==": [{ var: caler.env }, prod] }, max: ask }
  - { if: { "==": [{ var: caller.env }, prod] }, max: ask }
  - { if: { missing: [file, target.file] }, max: ask }
`,
    found: [
      "p.yaml:3:27: warning: no event has `caler`, so it is always null (did you mean `caller`?)",
      "p.yaml:5:29: warning: no event has `target.file`, so it is always null (`target` has command, path, url)",
    ],
  },
  "bad-grant-pattern": {
    text: `version: 1
servers:
  plug: { command: [plug], manifest: lost.yaml, grant: { on: [a, "/(/"] } }
`,
    options: { manifestFiles: MANIFEST_FILES },
    found: [
      "p.yaml:3:38: error: the manifest `lost.yaml` is not there",
      "p.yaml:3:66: error: `grant.on`: the pattern `(` is not a valid regex: missing closing ): `(?s)(` (the syntax is RE2's; put a backslash before a character that is meant literally)",
    ],
  },
  "unknown-step": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    workflow:
      entry: first
      steps:
        frst: { run: [x], next: [{ id: frst }, { id: third }] }
`,
    found: [
      "p.yaml:6:14: error: the workflow has no step `first` (did you mean `frst`?)",
      "p.yaml:8:9: warning: no edge leads to the step `frst`",
      "p.yaml:8:54: error: the workflow has no step `third` (the steps are frst)",
    ],
  },
  "outside-grant": {
    text: `version: 1
servers:
  plug: { command: [plug], manifest: wide.yaml }
  docs: { command: [docs] }
`,
    options: { manifestFiles: MANIFEST_FILES },
    found: [
      "wide.yaml:5:28: warning: `docs` is outside the grant of `plug`, so `a` never fires there (its hooks fire on plug/** alone; `servers.plug.grant.on` widens that)",
      "wide.yaml:5:51: warning: `docs/read` is outside the grant of `plug`, so `a` never fires there (its hooks fire on plug/** alone; `servers.plug.grant.on` widens that)",
      "wide.yaml:7:13: warning: the effect `ask` is always lowered to `advise` by the grant of `plug` (write `effect: advise`)",
      "wide.yaml:8:18: warning: `b` never fires: a manifest's hooks are about tools, and `script` is about none (declare it in a policy)",
    ],
  },
  "unreachable-step": {
    text: `version: 1
hooks:
  - on: call
    phase: before
    workflow:
      entry: a
      steps:
        a: { run: [x], next: [{ id: b, if: { var: steps.a.output } }] }
        b: { rule: { advise: x } }
        lost: { run: [x] }
`,
    found: ["p.yaml:10:9: warning: no edge leads to the step `lost`"],
  },
  "duplicate-id": {
    text: `version: 1
hooks:
  - { id: a, on: call, phase: before, rule: { advise: x } }
  - { id: a, on: call, phase: before, rule: { advise: y } }
`,
    found: ["p.yaml:4:11: error: the id `a` is used twice (the other is on line 3; ids are unique within a file)"],
  },
  "duplicate-ceiling-id": {
    text: `version: 1
ceilings:
  - { id: freeze, max: ask }
  - { id: freeze, if: { "==": [{ var: caller.env }, prod] }, max: ask }
`,
    found: [
      "p.yaml:4:11: error: the id `freeze` is used twice (the other is `ceilings[0]`; ids are unique within a file)",
    ],
  },
  "near-doubles": {
    text: `version: 1
hooks:
  - { id: a, on: call, phase: before, rule: { refuse: x }, effect: ask }
  - { id: b, on: call, phase: before, rule: { refuse: x }, effect: propose }
`,
    found: [
      "p.yaml:4:5: warning: `b` is the same as `a` in all but its effect, and both run (keep the one that was meant)",
    ],
  },
} satisfies Record<CheckName, FindingCase>
