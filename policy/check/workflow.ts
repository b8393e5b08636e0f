import type { JsonObject } from "../../effects/json.ts"
import type { Problem } from "../issues.ts"
import { nearest } from "../nearest.ts"
import type { Path } from "../places.ts"
import type { WorkflowEdge } from "../policy.ts"
import { stepsIn } from "../walk.ts"
import { at, type HookCheck } from "./subject.ts"

const noSuchStep = (id: string, ids: readonly string[], path: Path): Problem => {
  const near = nearest(id, ids)
  const hint = near === undefined ? `the steps are ${ids.join(", ")}` : `did you mean \`${near}\`?`
  return { path, message: `the workflow has no step \`${id}\``, hint }
}

export const unknownStep: HookCheck = function* (subject) {
  const workflow = subject.text.workflow as { readonly entry: string; readonly steps: JsonObject } | undefined
  if (workflow === undefined) return
  const ids = Object.keys(workflow.steps)
  if (!ids.includes(workflow.entry)) yield noSuchStep(workflow.entry, ids, at(subject, "workflow", "entry"))
  for (const { step, at: path } of stepsIn(subject.text, subject.path)) {
    const edges = (step.next ?? []) as readonly WorkflowEdge[]
    for (const [index, { id }] of edges.entries()) {
      if (!ids.includes(id)) yield noSuchStep(id, ids, [...path, "next", index, "id"])
    }
  }
}

export const unreachableStep: HookCheck = function* (subject) {
  const steps = new Map([...stepsIn(subject.text, subject.path)].map((found) => [found.id, found]))
  const reached = new Set<string>()
  const open = [String((subject.text.workflow as JsonObject | undefined)?.entry)]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const found = steps.get(id)
    if (found === undefined || reached.has(id)) continue
    reached.add(id)
    for (const edge of (found.step.next ?? []) as readonly WorkflowEdge[]) open.push(edge.id)
  }
  for (const [id, { at: path }] of steps) {
    if (!reached.has(id)) yield { path, at: "key", message: `no edge leads to the step \`${id}\`` }
  }
}
