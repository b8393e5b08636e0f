import type { ActionResult } from "../../engine/ports.ts"
import type { Usage } from "../../frames/frames.ts"

/** What the steps of one workflow used and had to say, put together. */
export class Gathered {
  private usage: Usage | undefined
  private readonly notes: string[] = []

  add(result: ActionResult): void {
    if ("skipped" in result) return
    if (result.usage) this.usage = this.usage ? sum(this.usage, result.usage) : result.usage
    if (result.notes) this.notes.push(...result.notes)
  }

  /** The workflow's own result, with what was gathered. */
  with(result: ActionResult): ActionResult {
    if ("skipped" in result) return result
    return {
      ...result,
      ...(this.usage ? { usage: this.usage } : {}),
      ...(this.notes.length > 0 ? { notes: this.notes } : {}),
    }
  }
}

/** The provider and model are the last step's. */
function sum(before: Usage, last: Usage): Usage {
  const cost =
    before.cost === undefined && last.cost === undefined ? {} : { cost: (before.cost ?? 0) + (last.cost ?? 0) }
  return {
    provider: last.provider,
    model: last.model,
    inputTokens: before.inputTokens + last.inputTokens,
    outputTokens: before.outputTokens + last.outputTokens,
    ...cost,
    ...(before.cached && last.cached ? { cached: true } : {}),
  }
}
