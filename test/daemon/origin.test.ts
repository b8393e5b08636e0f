import { expect, it } from "vitest"
import { isAllowedOrigin } from "../../daemon/origin.ts"
import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith, tokenIn } from "./world.ts"

it.each([
  [undefined, true],
  ["http://localhost:4100", true],
  ["http://127.0.0.1:4100", true],
  ["http://[::1]:4100", true],
  ["https://console.example", true],
  ["null", false],
  ["", false],
  ["http://localhost.evil.example", false],
  ["http://127.0.0.1.evil.example", false],
  ["http://localhost:4100/", false],
  ["http://localhost:4100, http://localhost:4100", false],
  ["https://evil.example", false],
  ["https://console.example.evil.example", false],
  ["file://", false],
  ["localhost", false],
])("a page of the origin %s: %s", (origin, allowed) => {
  expect(isAllowedOrigin(origin, ["https://console.example"])).toBe(allowed)
})

it("a foreign page is refused on every route before its body is read, and no hook runs", async () => {
  const daemon = await daemonWith({ policy: policy([rule("no", { refuse: "no" })]), tcp: true })
  const token = await tokenIn(daemon, "ci", { scopes: ["decide", "read"] })
  // A body that is promised and never sent: whoever waits for it waits for ever.
  for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
    const headers = { origin, "content-length": 10_000_000, connection: "keep-alive" }
    const response = await daemon
      .open({ method: "POST", path: "/v1/decide", raw: "{", headers, token })
      .catch(() => null)
    expect(response?.statusCode).toBe(403)
    response?.destroy()
  }
  for (const path of ["/healthz", "/metrics", "/nowhere"]) {
    expect((await daemon.send({ path, token, headers: { origin: "null" } })).status).toBe(403)
  }
  const two = await daemon.decide(EVENT, {
    token,
    headers: { origin: ["http://localhost", "http://localhost"] as never },
  })
  expect(two).toMatchObject({ status: 403, body: { type: "urn:detent:problem:foreign-origin" } })
  expect((await daemon.decide(EVENT, { token, headers: { origin: "http://localhost:3000" } })).status).toBe(200)
  expect((await daemon.send({ path: "/metrics", token })).text).toContain(
    'detent_decisions_total{on="call",outcome="refuse"} 1',
  )
})
