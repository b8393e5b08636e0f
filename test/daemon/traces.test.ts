import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { EVENT, policy, rule } from "../cli/capture.ts"
import type { Loose } from "./client.ts"
import { daemonWith } from "./world.ts"

/** A collector that keeps what it is sent. */
async function collector() {
  const spans: Loose[] = []
  const server = createServer((asked, answered) => {
    let text = ""
    asked.on("data", (chunk) => {
      text += chunk
    })
    asked.on("end", () => {
      const { resourceSpans } = JSON.parse(text) as Loose
      for (const { scopeSpans, resource } of resourceSpans) {
        for (const { spans: some } of scopeSpans) spans.push(...some.map((span: Loose) => ({ ...span, resource })))
      }
      answered.end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close: () => server.close() }
}

it("each decision is a span of the caller's trace, which holds nothing of what was decided about", async () => {
  const { url, spans, close } = await collector()
  const daemon = await daemonWith({
    policy: policy([rule("no", { refuse: "the secret @args.text" }, { effect: "ask" })]),
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_SERVICE_NAME: "guard" },
  })
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
  await daemon.decide(EVENT, { headers: { traceparent } })
  await daemon.send({ path: "/v1/exec", body: { code: "return 1" }, headers: { traceparent: "garbage" } })
  await daemon.running.stop(1000)
  close()
  expect(spans).toMatchObject([
    { name: "detent.call", traceId: "a".repeat(32), parentSpanId: "b".repeat(16) },
    { name: "detent.script" },
  ])
  expect(spans[1]!.traceId).not.toBe("a".repeat(32))
  const [{ attributes, events, resource }] = spans as [Loose]
  const told = (list: Loose[]) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))
  expect(told(attributes)).toEqual({
    "detent.on": "call",
    "detent.phase": "before",
    "detent.caller": "local",
    "detent.server": "fs",
    "detent.tool": "write_file",
    "detent.outcome": "refuse",
    "detent.refused_by": "no",
  })
  expect(told(events[0].attributes)).toMatchObject({ hook: "no", effect: "ask" })
  expect(told(resource.attributes)).toMatchObject({ "service.name": "guard" })
  expect(JSON.stringify(spans)).not.toMatch(/secret|a\.txt/)
})

it("a collector that is gone keeps nothing from its decision or its end", async () => {
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces" }
  const daemon = await daemonWith({ policy: policy([]), env })
  expect((await daemon.decide(EVENT)).status).toBe(200)
  await daemon.running.stop(1000)
  expect(daemon.log.at(-1)).toMatchObject({ message: "stopped" })
})
