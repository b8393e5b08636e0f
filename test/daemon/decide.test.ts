import { describe, expect, it } from "vitest"
import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith } from "./world.ts"

const REFUSING = policy([rule("no-writes", { refuse: "not here, @caller.id" }, { when: { tool: "write_file" } })])

describe("POST /v1/decide", () => {
  it("answers the verdict with its frames", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const { status, body } = await daemon.decide(EVENT)
    expect({ status, outcome: body.outcome }).toEqual({ status: 200, outcome: "refuse" })
    expect(body.refusal).toEqual({ hook: "no-writes", reason: 'not here, "local"' })
    expect(body.frames).toMatchObject([{ type: "hook", hook: "no-writes", effect: "run" }])
    expect((await daemon.decide({ ...EVENT, tool: "read_file" })).body).toMatchObject({
      outcome: "continue",
      frames: [],
    })
  })

  it("refuses fields that a point does not have, by name", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const { status, headers, body } = await daemon.decide({ ...EVENT, tol: "x" })
    expect(headers["content-type"]).toBe("application/problem+json")
    expect({ status, ...body }).toMatchObject({
      status: 400,
      type: "urn:detent:problem:bad-request",
      title: "the request does not fit",
      detail: "an event of `call` has no field `tol`; did you mean `tool`?",
    })
  })

  it.each([
    ["[]", "the body is no JSON object"],
    ["{", "the body is no JSON"],
    ['{"on":"call","on":"call"}', "the key `on` is written twice"],
    ["", "the body is no JSON"],
    ['{"on":"cal","phase":"before"}', "unknown point `cal`; did you mean `call`?"],
    ['{"on":"script","phase":"prefix","args":[]}', "does not fire `prefix`"],
  ])("says what is wrong with the body %s", async (raw, said) => {
    const daemon = await daemonWith({ policy: REFUSING })
    const { status, body } = await daemon.send({ method: "POST", path: "/v1/decide", raw })
    expect(status).toBe(400)
    expect(body.detail).toContain(said)
  })

  it("refuses bytes that are no UTF-8 instead of replacing them", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const raw = Buffer.concat([Buffer.from('{"on":"call","phase":"'), Buffer.from([0xff]), Buffer.from('"}')])
    expect((await daemon.send({ path: "/v1/decide", raw })).body.detail).toBe("the body is no UTF-8 text")
  })

  it("reads no body beyond the limit, whether its length is said or not", async () => {
    const daemon = await daemonWith({ policy: REFUSING })
    const raw = Buffer.alloc(17 * 1024 * 1024, 0x20)
    for (const headers of [{ "content-length": raw.length }, { "transfer-encoding": "chunked" }]) {
      const ran = await daemon.send({ path: "/v1/decide", raw, headers }).catch((cause: NodeJS.ErrnoException) => cause)
      // The answer may come while the body is still being sent, and the connection end before all of it has left.
      if (ran instanceof Error) expect(["EPIPE", "ECONNRESET"]).toContain(ran.code)
      else expect(ran.status).toBe(413)
    }
    expect((await daemon.decide(EVENT)).status).toBe(200)
  })

  it("tells what lowered the caller's level", async () => {
    const daemon = await daemonWith({ policy: REFUSING, flags: { "autonomy.max": "advise" } })
    const { body } = await daemon.decide(EVENT, { headers: { "x-detent-settings": '{"hooks.autonomy":"apply"}' } })
    expect(body).toMatchObject({
      outcome: "continue",
      autonomy: "advise",
      requested: "apply",
      clampedBy: "autonomy.max (--autonomy-max)",
    })
    expect(body.frames[0]).toMatchObject({ dropped: [{ key: "refuse", allowed: "advise", by: ["daemon"] }] })
    const low = await daemon.decide(EVENT, { headers: { "x-detent-settings": '{"hooks.autonomy":"off"}' } })
    expect(low.body).not.toHaveProperty("clampedBy")
    expect(low.body.frames).toMatchObject([{ skipped: "off" }])
  })

  it("ignores a daemon's setting in the header, and says so", async () => {
    const daemon = await daemonWith({ policy: REFUSING, flags: { "autonomy.max": "off" } })
    const { body } = await daemon.decide(EVENT, { headers: { "x-detent-settings": '{"autonomy.max":"run"}' } })
    expect(body.notices).toEqual(["`autonomy.max` is the daemon's own and is not taken from a call"])
    expect(body.frames).toMatchObject([{ skipped: "off", clampedBy: ["daemon"] }])
  })

  it.each([
    ['{"hooks.autonomy":"most"}', "unknown level `most` for `hooks.autonomy`"],
    ['{"hooks.autonomi":"run"}', "unknown setting `hooks.autonomi`"],
    ["[]", "is no JSON object"],
  ])("refuses the header %s", async (header, said) => {
    const daemon = await daemonWith({ policy: REFUSING })
    const { status, body } = await daemon.decide(EVENT, { headers: { "x-detent-settings": header } })
    expect(status).toBe(400)
    expect(body.detail).toContain(said)
  })
})
