import { afterEach, describe, expect, it } from "vitest"
import { Pool } from "../../mcp/pool.ts"
import type { ServerEntry } from "../../policy/policy.ts"
import { scripted } from "./servers.ts"

const open: Pool[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()))
})

/** The server `s` with what its policy says of it, and whose one tool does as it is told. */
function limited(entry: Partial<ServerEntry>, source: string): Pool {
  const servers = { s: { ...scripted(source), ...entry } }
  const pool = new Pool({ servers, cwd: process.cwd(), env: { PATH: process.env.PATH } })
  open.push(pool)
  return pool
}

const call = (pool: Pool) => pool.call("s", "do", { n: 1 })

describe("a server's limits", () => {
  it("startMs: one that does not shake hands in time is given up", async () => {
    await expect(call(limited({ startMs: 400 }, "silent"))).rejects.toMatchObject({ code: "unavailable" })
  })

  it("timeoutMs: a request that is not answered in time is over", async () => {
    const error = { code: "timeout", message: "`s` did not answer in 250 ms" }
    await expect(call(limited({ timeoutMs: 250 }, "return"))).rejects.toMatchObject(error)
  })

  it("timeoutMs: news of progress starts it anew", async () => {
    const source = `const { progressToken } = params._meta
      for (let at = 0; at < 5; at++) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        send({ method: "notifications/progress", params: { progressToken, progress: at } })
      }
      text("done")`
    const pool = limited({ timeoutMs: 1000 }, source)
    const told: unknown[] = []
    const result = await pool.call("s", "do", { n: 1 }, { onProgress: ({ progress }) => void told.push(progress) })
    expect(told).toEqual([0, 1, 2, 3, 4])
    expect(result).toMatchObject({ content: [{ text: "done" }] })
  })

  it("concurrency: more than that wait their turn", async () => {
    const source = `globalThis.under = (globalThis.under ?? 0) + 1
      const seen = globalThis.under
      await new Promise((resolve) => setTimeout(resolve, 50))
      globalThis.under--
      text(String(seen))`
    const pool = limited({ concurrency: 1 }, source)
    const seen = await Promise.all([call(pool), call(pool), call(pool)])
    expect(seen.map(({ content }) => (content as { text: string }[])[0]!.text)).toEqual(["1", "1", "1"])
  })

  it("maxBytes: a server that writes a longer line is ended, and that is said", async () => {
    const error = { code: "unavailable", message: expect.stringContaining("a line of more than 2000 bytes") }
    await expect(call(limited({ maxBytes: 2000 }, `text("x".repeat(100_000))`))).rejects.toMatchObject(error)
  })
})
