import { afterAll, expect, test } from "vitest"
import { createActions } from "../../actions/index.ts"
import type { ActionResult, ActionRunner } from "../../engine/ports.ts"
import { failed } from "../../frames/failures.ts"
import type { Action, WorkflowEdge, WorkflowStep } from "../../policy/policy.ts"
import { context, event, folder, moduleFile } from "./hooks.ts"

/** A stand-in for the engine's own runner: a rule's output is the rule, and some rules say how they go. */
const rule: ActionRunner<"rule"> = {
  async run(action, seen, { timeoutMs }): Promise<ActionResult> {
    const { usage, note, time, echo } = action.rule as { usage?: never; note?: string; time?: boolean; echo?: boolean }
    if (time) return { output: { timeoutMs } }
    if (echo) return { output: { seen } }
    return { output: action.rule, ...(usage ? { usage } : {}), ...(note ? { notes: [note] } : {}) }
  },
}
const actions = createActions({ cwd: folder(), env: process.env, rule })
afterAll(() => actions.close())

const says = (output: object, next?: readonly WorkflowEdge[]): WorkflowStep => ({
  action: { kind: "rule", rule: output as never },
  ...(next ? { next } : {}),
})
const step = (action: Action, next?: readonly WorkflowEdge[]): WorkflowStep => (next ? { action, next } : { action })
const run = (steps: Record<string, WorkflowStep>, timeoutMs = 5000, signal?: AbortSignal) =>
  actions.workflow.run({ kind: "workflow", entry: "a", steps }, event, context({ timeoutMs }, signal))

test("steps run in turn and the last one's output is the workflow's", async () => {
  expect(await run({ a: says({ n: 1 }, [{ id: "b" }]), b: says({ n: 2 }) })).toEqual({ output: { n: 2 } })
})

test("the first edge whose condition holds is taken, over the event and the outputs so far", async () => {
  const steps = {
    a: says({ n: 1 }, [
      { id: "no", if: { "==": [{ var: "event.tool" }, "read_file"] } },
      { id: "b", if: { and: [{ "==": [{ var: "steps.a.output.n" }, 1] }, { "==": [{ var: "event.server" }, "fs"] }] } },
      { id: "no" },
    ]),
    b: says({ took: "b" }),
    no: says({ took: "no" }),
  }
  expect(await run(steps)).toEqual({ output: { took: "b" } })
})

test("where no edge holds the workflow ends", async () => {
  expect(await run({ a: says({ n: 1 }, [{ id: "b", if: false }]), b: says({ n: 2 }) })).toEqual({ output: { n: 1 } })
})

test("a program and a module may be steps, and see what came before", async () => {
  const path = moduleFile("export default (event) => ({ advise: event.steps.a.output.path + event.tool })")
  const argv = ["sh", "-c", `echo '{"path":"x/"}'`]
  const steps = { a: step({ kind: "run", argv }, [{ id: "b" }]), b: step({ kind: "module", path }) }
  expect(await run(steps)).toEqual({ output: { advise: "x/write_file" } })
})

test("a step without an opinion stands as null, and as the last one is no opinion", async () => {
  const steps = { a: step({ kind: "run", argv: ["true"] }, [{ id: "b" }]), b: says({ echo: true }) }
  expect(await run(steps)).toMatchObject({ output: { seen: { steps: { a: { output: null } }, tool: "write_file" } } })
  expect(await run({ a: step({ kind: "run", argv: ["true"] }) })).toEqual({ output: undefined })
})

test("a step that fails ends the workflow with its failure", async () => {
  const steps = { a: step({ kind: "run", argv: ["sh", "-c", "exit 4"] }, [{ id: "b" }]), b: says({ n: 2 }) }
  expect(await run(steps)).toEqual({ failed: failed("exit", { exitCode: 4 }) })
})

test("a condition that cannot be evaluated fails the workflow as a condition", async () => {
  const steps = { a: says({ n: 1 }, [{ id: "b", if: { matches: [{ var: "steps" }, "x"] } }]), b: says({ n: 2 }) }
  expect(await run(steps)).toEqual({ failed: failed("condition", { detail: "after step `a`" }) })
})

test("a loop ends at a hundred steps", async () => {
  const detail = "the workflow took more than 100 steps"
  expect(await run({ a: says({ n: 1 }, [{ id: "a" }]) })).toEqual({ failed: failed("bad-output", { detail }) })
})

test("a step that is not there is named", async () => {
  const missing = (id: string) => ({ failed: failed("bad-output", { detail: `the workflow has no step \`${id}\`` }) })
  expect(await run({ a: says({ n: 1 }, [{ id: "nowhere" }]) })).toEqual(missing("nowhere"))
  expect(await run({ a: says({ n: 1 }, [{ id: "toString" }]) })).toEqual(missing("toString"))
  expect(await run({})).toEqual(missing("a"))
})

test("all steps share one deadline, and a step's own time can only shorten it", async () => {
  const slow: Action = { kind: "run", argv: ["sleep", "30"] }
  const started = performance.now()
  const nap: Action = { kind: "run", argv: ["sleep", "0.2"] }
  expect(await run({ a: step(nap, [{ id: "b" }]), b: { action: slow, timeoutMs: 60_000 } }, 500)).toEqual({
    failed: failed("timeout"),
  })
  expect(await run({ a: { action: slow, timeoutMs: 100 } }, 60_000)).toEqual({ failed: failed("timeout") })
  expect(performance.now() - started).toBeLessThan(5000)
  expect(await run({ a: { ...says({ time: true }), timeoutMs: 7 } })).toEqual({ output: { timeoutMs: 7 } })
})

test("a cancelled workflow starts no further step", async () => {
  const controller = new AbortController()
  const steps = { a: step({ kind: "run", argv: ["sleep", "30"] }, [{ id: "b" }]), b: says({ n: 2 }) }
  setTimeout(() => controller.abort(), 100)
  expect(await run(steps, 60_000, controller.signal)).toEqual({ failed: failed("timeout") })
})

test("what the steps used and had to say is put together", async () => {
  const usage = { provider: "p", model: "m", inputTokens: 1, outputTokens: 2, cost: 0.5 }
  const steps = {
    a: says({ usage, note: "one" }, [{ id: "b" }]),
    b: says({ usage, note: "two" }, [{ id: "c" }]),
    c: step({ kind: "run", argv: ["sh", "-c", "exit 1"] }),
  }
  expect(await run(steps)).toEqual({
    failed: failed("exit", { exitCode: 1 }),
    usage: { provider: "p", model: "m", inputTokens: 2, outputTokens: 4, cost: 1 },
    notes: ["one", "two"],
  })
})

test("workflows may be steps, and actions without a runner are unavailable", async () => {
  const inner: Action = { kind: "workflow", entry: "x", steps: { x: says({ inner: true }) } }
  expect(await run({ a: step(inner) })).toEqual({ output: { inner: true } })
  const bare = createActions({ env: {} })
  const one = { kind: "workflow", entry: "a", steps: { a: says({ n: 1 }) } } as const
  expect(await bare.workflow.run(one, event, context())).toEqual({
    failed: failed("unavailable", { detail: "`rule` steps" }),
  })
  await bare.close()
})

test("a prompt without a model is skipped and says what is missing", async () => {
  expect(await actions.prompt.run({ kind: "prompt", prompt: "x" }, event, context())).toMatchObject({
    skipped: "no-model",
    warning: expect.stringContaining("model.name"),
  })
})
