import { expect, it } from "vitest"
import { ROUTE_NAMES, routeRow } from "../../daemon/routes.ts"
import { SCOPE_NAMES } from "../../store/scopes.ts"
import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith, tokenIn } from "./world.ts"

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

it("a name that a foreign site gave to this machine's address is not this machine", async () => {
  const daemon = await daemonWith({ policy: policy([]), tcp: true })
  const token = await tokenIn(daemon, "ci")
  expect((await daemon.decide(EVENT, { token, headers: { host: "evil.example" } })).status).toBe(403)
  const onSocket = await daemonWith({ policy: policy([]) })
  expect((await onSocket.decide(EVENT, { headers: { host: "anything" } })).status).toBe(200)
})

it.each(ROUTE_NAMES.map((name) => [name, routeRow(name)] as const))(
  "%s answers no foreign page, whatever else the request says",
  async (_, { method, path }) => {
    const daemon = await daemonWith({ tcp: true })
    const token = await tokenIn(daemon, "all", { scopes: SCOPE_NAMES })
    const headers = { origin: "https://evil.example", "content-type": "application/json" }
    const body = method === "POST" || method === "PUT" ? { raw: "{}" } : {}
    const { status } = await daemon.send({ method, path: path.replace(/\{\w+\}/, "x"), headers, token, ...body })
    expect(status).toBe(403)
  },
)
