import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { goldenCases } from "../../golden.ts"
import { runEval } from "../../govern/eval/run.ts"
import { readSet } from "../../govern/eval/set.ts"
import { LIBRARY_NAMES } from "../../policy/library.ts"

const LIBRARY = new URL("../../prompts/library/", import.meta.url)

goldenCases(LIBRARY)

describe("the recordings that come along", () => {
  it.each(LIBRARY_NAMES)(
    "answer every labelled event of %s as a scripted judge would: as it is labelled",
    async (name) => {
      const set = readSet(fileURLToPath(new URL(`${name}/events.eval.yaml`, LIBRARY)))
      const side = { name: "recorded", policy: set.policy, model: {} }
      const { hooks, missing } = await runEval(set, [side], { createEngine, settings: {}, mode: "replay", samples: 1 })
      expect(missing).toEqual([])
      expect(hooks[0]?.score).toMatchObject({ events: set.events.length, accuracy: 1, failures: 0 })
    },
  )
})
