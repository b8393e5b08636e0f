/** Filling in a prompt, against a template literal that encodes the same way, and against mustache with JSON texts. */
import { createRequire } from "node:module"
import { compilePromptTemplate } from "../prompts/sections.ts"
import { type Case, measure, table } from "./harness.ts"

/** Required, since it is there only after `run.sh` has installed it. */
const require = createRequire(import.meta.url)
const Mustache = require("mustache")

/** Lines of code with nothing to escape beyond JSON, or with something in each. */
const LINES = {
  plain: 'const path = join(folder, "file.ts")\n',
  markup: 'if (a < b && c) return "<b>"\n',
}
const eventsOf = (line: string) =>
  [0, 1, 2, 3].map((index) => ({
    server: "claude-code",
    tool: "Write",
    caller: { id: "dana" },
    args: { path: `/repo/src/file${index}.ts`, content: line.repeat(8) },
  }))

const TEXT = `The user @caller.id lets @server call @tool.
<path>@args.path</path>
<arguments>@args</arguments>
Is a credential written down?`
const ours = compilePromptTemplate(TEXT, { roots: ["server", "tool", "caller", "args"] })

const encode = (value: unknown) =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
const plain = JSON.stringify

const MUSTACHE = TEXT.replaceAll(/@([a-z.]+)/g, "{{$1}}")
Mustache.parse(MUSTACHE)
const options = { escape: encode }

const casesOf = (events: ReturnType<typeof eventsOf>): Record<string, Case> => ({
  "template literal, JSON.stringify": (at) => {
    const { server, tool, caller, args } = events[at % 4]!
    return `The user ${plain(caller.id)} lets ${plain(server)} call ${plain(tool)}.
<path>${plain(args.path)}</path>
<arguments>${plain(args)}</arguments>
Is a credential written down?`
  },
  "template literal, the same encoding": (at) => {
    const { server, tool, caller, args } = events[at % 4]!
    return `The user ${encode(caller.id)} lets ${encode(server)} call ${encode(tool)}.
<path>${encode(args.path)}</path>
<arguments>${encode(args)}</arguments>
Is a credential written down?`
  },
  detent: (at) => ours.render(events[at % 4]),
  "mustache, the same encoding": (at) => Mustache.render(MUSTACHE, events[at % 4], undefined, options),
})
for (const [name, line] of Object.entries(LINES)) {
  console.log(table(`a prompt filled in: ${name} text`, await measure(casesOf(eventsOf(line)))))
}
