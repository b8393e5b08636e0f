import { join } from "node:path"
import { ownFolder } from "../settings/folders.ts"
import type { ActionOptions } from "./options.ts"
import type { PromptRunner } from "./prompt/prompt.ts"

/** The runner of prompts, read when the first one runs: what makes and reads requests takes longer to load than a program to start. */
export function lazyPrompt(options: ActionOptions & { readonly cwd: string }): PromptRunner {
  let loading: Promise<PromptRunner> | undefined
  const load = async (): Promise<PromptRunner> => {
    const [{ createPrompt }, { Answers }, { Ledger }, { Tape }] = await Promise.all([
      import("./prompt/prompt.ts"),
      import("./prompt/answers.ts"),
      import("./prompt/ledger.ts"),
      import("../prompts/tape.ts"),
    ])
    const { model = {}, env, cwd, cassettes } = options
    return createPrompt({
      model,
      env,
      cwd,
      answers: new Answers(join(ownFolder("cache", env), "answers")),
      ledger: new Ledger(join(ownFolder("state", env), "usage")),
      ...(cassettes ? { tape: new Tape(cassettes) } : {}),
    })
  }
  return {
    async run(action, event, context) {
      loading ??= load()
      return (await loading).run(action, event, context)
    },
    async turn(request, event, context) {
      loading ??= load()
      return (await loading).turn(request, event, context)
    },
  }
}
