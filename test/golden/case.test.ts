import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { CaseError, readCase } from "../../golden/case.ts"
import { showFinding } from "../../policy/findings.ts"
import { EVENT, folderOf, GUARD } from "./world.ts"

/** What is wrong with a case, as people read it. */
function findings(text: string, files: Readonly<Record<string, string>> = {}): string[] {
  const dir = folderOf({ "a.case.yaml": text, ...files })
  try {
    readCase(join(dir, "a.case.yaml"))
  } catch (error) {
    if (error instanceof CaseError) return error.findings.map(showFinding)
    throw error
  }
  return []
}

describe("a case that is wrong says where, and how to mend it", () => {
  test.each<[name: string, text: string, found: string[]]>([
    [
      "an unknown key, with the nearest known",
      `${GUARD}${EVENT}setings: {}\n`,
      ["a.case.yaml:5:1: error: unknown key `setings` (did you mean `settings`?)"],
    ],
    [
      "an unknown setting",
      `${GUARD}${EVENT}settings: { autonomy.maximum: ask }\n`,
      ["a.case.yaml:5:13: error: unknown setting `autonomy.maximum` (did you mean `autonomy.max`?)"],
    ],
    [
      "an unknown level",
      `${GUARD}${EVENT}settings: { autonomy.max: aks }\n`,
      [
        "a.case.yaml:5:27: error: unknown value `aks` for `settings.autonomy.max` (did you mean `ask`? It is one of off, advise, ask, propose, apply, run)",
      ],
    ],
    [
      "a key that is written twice",
      `${GUARD}${EVENT}host: ask\nhost: run\n`,
      ["a.case.yaml:6:1: error: the key `host` is written twice (keep one of them)"],
    ],
    ["no event", GUARD, ["a.case.yaml:1:1: error: the case needs `event`"]],
    ["nothing at all", "# only a comment\n", ["a.case.yaml: error: the case is empty"]],
    [
      "a host that is none",
      `${GUARD}${EVENT}host: codx\n`,
      [
        "a.case.yaml:5:7: error: `host` is an agent, a level or {name, max}, and `codx` is none (did you mean `codex`?)",
      ],
    ],
    [
      "a moment that the host never fires",
      `${GUARD}event: { on: resource.read, phase: onSuccess, server: fs, uri: "a:b", result: 1 }\nhost: codex\n`,
      ["a.case.yaml:5:7: error: `codex` never fires resource.read onSuccess: no hook there would run"],
    ],
    [
      "an event that does not fit its point",
      `${GUARD}event: { on: call, phase: before, server: fs, tol: write_file }\n`,
      [
        "a.case.yaml:4:8: error: in `event`: an event of `call` needs `tool`",
        "a.case.yaml:4:8: error: in `event`: an event of `call` has no field `tol`; did you mean `tool`?",
      ],
    ],
    [
      "an operation with another phase",
      `${GUARD}event: { on: call, phase: onSuccess, server: fs, tool: x, result: 1 }\noperation: { result: 1 }\n`,
      [
        "a.case.yaml:4:27: error: with an `operation` the event's phase is `before`, not `onSuccess` (what follows comes of itself; without `operation` one moment is fired)",
      ],
    ],
    [
      "an operation that gives both",
      `${GUARD}${EVENT}operation: { result: 1, error: "m" }\n`,
      ["a.case.yaml:5:12: error: `operation` is one of {result} and {error}"],
    ],
    [
      "an output for a rule",
      `${GUARD}${EVENT}outputs: { guard: {} }\n`,
      [
        "a.case.yaml:5:12: error: `guard` is a rule, and rules always really run (leave its output out, or change the event)",
      ],
    ],
    [
      "an output for a hook that is not there",
      `${GUARD}${EVENT}outputs: { gard: {} }\n`,
      ["a.case.yaml:5:12: error: the policy has no hook `gard` (did you mean `guard`?)"],
    ],
    [
      "an answer of a hook that is not there",
      `${GUARD}${EVENT}answers: { nobody: yes }\n`,
      ["a.case.yaml:5:12: error: the policy has no hook `nobody` (its hooks are guard)"],
    ],
    [
      "an answer that is no text",
      `${GUARD}${EVENT}answers: { guard: true }\n`,
      ["a.case.yaml:5:19: error: `answers.guard` must be a text, such as `yes`"],
    ],
    [
      "a failure of no known kind",
      `policy: { hooks: [{ id: scan, on: call, phase: before, run: [scan] }] }\n${EVENT}outputs: { scan: { failed: { kind: timeot } } }\n`,
      [
        "a.case.yaml:3:36: error: unknown value `timeot` for `outputs.scan.failed.kind` (did you mean `timeout`? It is one of exit, signal, timeout, spawn, throw, bad-output, condition, unavailable, model-refused, truncated, empty, rate-limited, model-error, budget)",
      ],
    ],
    [
      "a failure beside an output",
      `policy: { hooks: [{ id: scan, on: call, phase: before, run: [scan] }] }\n${EVENT}outputs: { scan: { advise: x, failed: { kind: timeout } } }\n`,
      ["a.case.yaml:3:18: error: `outputs.scan` is an output or a failure, not both (`failed` stands alone)"],
    ],
    [
      "a policy that is not there",
      `policy: ../detent.yaml\n${EVENT}`,
      [
        "a.case.yaml:1:9: error: the policy `../detent.yaml` cannot be read (ENOENT) (a path starts at the case's own folder; a policy's text goes over several lines)",
      ],
    ],
    [
      "a fault in an inline policy, at its place in the case",
      `policy:\n  hooks:\n    - { id: guard, on: call, phase: befor, rule: { refuse: no } }\n${EVENT}`,
      [
        "a.case.yaml:3:37: error: unknown phase `befor` for `hooks[0].phase` (did you mean `before`? It is one of before, prefix, onSuccess, onError, suffix, observe)",
      ],
    ],
    [
      "the caller said twice",
      `${GUARD}caller: ci\nevent: { on: call, phase: before, server: fs, tool: x, caller: { id: me } }\n`,
      ["a.case.yaml:5:56: error: the caller is said in `caller` and in `event.caller` (keep one of them)"],
    ],
    [
      "a tool that is no pair",
      `${GUARD}${EVENT}tools: { write_file: {} }\n`,
      ["a.case.yaml:5:10: error: the name `write_file` does not fit (a tool is named `server/tool`)"],
    ],
  ])("%s", (_, text, found) => {
    expect(findings(text)).toEqual(found)
  })

  test("a fault in a policy file is told with the file's own name and place", () => {
    const policy = "hooks:\n  - { id: g, on: callx, phase: before, rule: { refuse: no } }\n"
    expect(findings(`policy: detent.yaml\n${EVENT}`, { "detent.yaml": policy })).toEqual([
      "detent.yaml:2:18: error: unknown point `callx` (did you mean `call`?)",
    ])
  })

  test("a policy's text over several lines is told with its own line", () => {
    const found = findings(
      `policy: |\n  version: 1\n  hooks: [{ id: g, on: callx, phase: before, rule: {} }]\n${EVENT}`,
    )
    expect(found).toEqual([
      "a.case.yaml:1:9: error: unknown point `callx`, in line 2 of the policy (did you mean `call`?)",
    ])
  })

  test("bytes that are no UTF-8 are no case", () => {
    expect(() => readCase(join(folderOf({}), "a.case.yaml"))).toThrow("the case cannot be read (ENOENT)")
  })
})

describe("a case that is right", () => {
  test("a caller may be an id alone, and an error a text alone", () => {
    const dir = folderOf({ "a.case.yaml": `${GUARD}${EVENT}caller: ci\noperation: { error: broken }\n` })
    expect(readCase(join(dir, "a.case.yaml"))).toMatchObject({
      caller: { id: "ci" },
      operation: { error: { message: "broken" } },
    })
  })

  test("an unquoted yes is the text yes", () => {
    const dir = folderOf({ "a.case.yaml": `${GUARD}${EVENT}answers: { guard: yes }\n` })
    expect(readCase(join(dir, "a.case.yaml")).answers).toEqual({ guard: "yes" })
  })
})
