import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { conditionHolds } from "../../../dialects/vix/condition.ts"
import { expand, expandShell, expandValue, SCOPE_ROOTS, type Scope } from "../../../dialects/vix/expand.ts"
import { STEP_TYPES, workflowSchema } from "../../../dialects/vix/workflow.ts"

const scope: Scope = {
  workflow: { prompt: "the prompt" },
  event: { tool_name: "bash", tool_input: { command: '\'; touch hacked; echo "$(id)" `id`' }, list: ["a", "b"] },
  steps: { look: { output: { verdict: "deny", n: 2, none: [] } }, sh: { output: "$(event.tool_name)" } },
  params: { who: "you", yes: true },
}

describe("`$(…)` in a workflow", () => {
  it.each([
    ["the prompt", "<$(workflow.prompt)>", "<the prompt>"],
    ["the event", "$(event.tool_name)", "bash"],
    ["an item of a list", "$(event.list.1)", "b"],
    ["what an earlier step put out", "$(steps.look.output.verdict)", "deny"],
    ["a whole object as JSON", "$(steps.look.output)", '{"verdict":"deny","n":2,"none":[]}'],
    ["a parameter", "$(params.who)", "you"],
    ["nothing where there is nothing", "<$(event.missing.path)>", "<>"],
    ["nothing of a prototype", "<$(event.constructor.name)>", "<>"],
    ["what was put in only once", "$(steps.sh.output)", "$(event.tool_name)"],
    ["no command of the shell", "$(date) $(ls .)", "$(date) $(ls .)"],
  ])("stands for %s", (_, text, expanded) => {
    expect(expand(text, scope)).toBe(expanded)
  })

  it("keeps the type of a value that stands alone in a tool's arguments", () => {
    expect(expandValue({ a: "$(steps.look.output.n)", b: ["n=$(steps.look.output.n)"] }, scope)).toEqual({
      a: 2,
      b: ["n=2"],
    })
  })

  it("reaches the prompt, the event, steps and parameters, and nothing else", () => {
    expect(SCOPE_ROOTS).toEqual(["workflow", "event", "steps", "params"])
  })
})

describe("a value in a shell command is never shell", () => {
  const value = String((scope.event.tool_input as { command: string }).command)
  it.each([
    ["between double quotes", 'printf %s "$(event.tool_input.command)"'],
    ["between single quotes", "printf %s '$(event.tool_input.command)'"],
    ["after other quotes", `printf '%s' "it's " >/dev/null; printf %s "$(event.tool_input.command)"`],
  ])("%s it arrives as it is", (_, command) => {
    const shell = expandShell(command, scope)
    expect(shell.command).not.toContain("touch")
    const out = execFileSync("bash", ["-c", shell.command], {
      env: { PATH: process.env.PATH, SHLVL: "1", ...shell.env },
    })
    expect(out.toString()).toBe(value)
  })

  it("leaves the shell's own substitutions to the shell", () => {
    expect(expandShell("echo $(printf hi)", scope)).toEqual({ command: "echo $(printf hi)", env: {} })
  })
})

describe("conditions", () => {
  it.each([
    ["$(steps.look.output.verdict) == deny", true],
    ["$(steps.look.output.verdict) != deny", false],
    ["'$(steps.look.output.verdict)' == \"deny\"", true],
    ["$(event.tool_input.command) contains hacked", true],
    ["$(params.yes)", true],
    ["!$(params.yes)", false],
    ["$(steps.look.output.none)", false],
    ["$(event.missing)", false],
    ["false", false],
    ["$(params.who)", true],
  ])("%s: %s", (condition, holds) => {
    expect(conditionHolds(condition, scope)).toBe(holds)
  })
})

it("every type of step is one that a workflow may have, and no other", () => {
  const more = { bash: { command: "x" }, agent: { prompt: "x" }, tool: { tool: "a/b" }, if: { condition: "x" } }
  for (const type of Object.keys(STEP_TYPES)) {
    const steps = { a: { type, ...more[type as keyof typeof more] } }
    expect(workflowSchema.safeParse({ entry_point: { id: "a" }, steps }).success).toBe(true)
  }
  expect(workflowSchema.safeParse({ entry_point: { id: "a" }, steps: { a: { type: "loop" } } }).success).toBe(false)
})
