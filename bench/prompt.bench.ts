/** A prompt hook against the bare call of the SDK that it makes, at a server that answers at once. */
import { performance } from "node:perf_hooks"
import { Worker } from "node:worker_threads"
import OpenAI from "openai"
import { createEngine } from "../actions/engine.ts"
import { parsePolicy } from "../policy/parse.ts"
import { spreadOf } from "./harness.ts"

const SERVER = `
const { createServer } = require("node:http")
const { parentPort } = require("node:worker_threads")
const answer = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: '{"advise":"looked at"}' }, finish_reason: "stop" }],
  usage: { prompt_tokens: 100, completion_tokens: 5 },
})
createServer((request, response) => {
  request.resume().on("end", () => response.setHeader("content-type", "application/json").end(answer))
}).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port) })
`
const server = new Worker(SERVER, { eval: true })
const port = await new Promise((resolve) => server.once("message", resolve))
const baseURL = `http://127.0.0.1:${port}/v1`

const policy = parsePolicy(`
version: 1
model: { provider: openai, name: m, baseUrl: "${baseURL}" }
hooks:
  - { id: judge, on: call, phase: before, effect: ask, prompt: "Judge <data>@args</data>" }
`)
const engine = await createEngine({ policy })
const event = { server: "fs", tool: "write", args: { path: "a.txt", content: "x".repeat(500) } }

const client = new OpenAI({ apiKey: "none", baseURL, maxRetries: 0, logLevel: "off" })
const body = {
  model: "m",
  max_tokens: 1024,
  messages: [
    { role: "system" as const, content: "x".repeat(700) },
    { role: "user" as const, content: `Judge <data>${JSON.stringify(event.args)}</data>` },
  ],
}
const bare = () => client.chat.completions.create(body)
const hooked = () => engine.fire("call", "before", event)

const times = { bare: [] as number[], hooked: [] as number[] }
for (let round = 0; round < 2200; round++) {
  for (const [name, call] of round % 2
    ? ([
        ["bare", bare],
        ["hooked", hooked],
      ] as const)
    : ([
        ["hooked", hooked],
        ["bare", bare],
      ] as const)) {
    const began = performance.now()
    await call()
    if (round >= 200) times[name].push(performance.now() - began)
  }
}
const [sdk, hook] = [spreadOf(times.bare), spreadOf(times.hooked)]
const over = spreadOf(times.hooked.map((time, round) => time - times.bare[round]!))
console.log(`
### a prompt hook, at a server that answers at once

| case | p50 | middle half |
|---|---|---|
| the SDK's call | ${sdk.median.toFixed(3)} ms | ${sdk.low.toFixed(3)}–${sdk.high.toFixed(3)} |
| the hook | ${hook.median.toFixed(3)} ms | ${hook.low.toFixed(3)}–${hook.high.toFixed(3)} |
| what the hook adds, pair by pair | ${over.median.toFixed(3)} ms | ${over.low.toFixed(3)}–${over.high.toFixed(3)} |`)
await engine.close()
await server.terminate()
