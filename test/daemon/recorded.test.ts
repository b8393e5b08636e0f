import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadPolicy } from "../../settings/load.ts"
import type { AuditRow } from "../../store/audit/row.ts"
import { openAudit, readAudit } from "../../store/audit/store.ts"
import { policyHash } from "../../store/binding.ts"
import { EVENT, environment, folderWith, policy, rule } from "../cli/capture.ts"
import { BIN } from "../cli/process.ts"
import { decision, tamper, verify } from "../store/records.ts"
import { send } from "./client.ts"
import { daemonWith, type Started } from "./world.ts"

const NOTHING = policy([])

async function rowsIn(folder: string): Promise<AuditRow[]> {
  const record = await readAudit(folder)
  const rows: AuditRow[] = []
  for await (const row of record.rows()) rows.push(row)
  await record.close()
  return rows
}

const metrics = async (daemon: Started): Promise<string> => (await daemon.send({ path: "/metrics" })).text

describe("the daemon's record", () => {
  it("is in its own folder, and each row names the ceilings with where they were said, and the policy by its hash", async () => {
    const frozen = { id: "freeze", max: "advise", reason: "change freeze" }
    const text = policy([rule("no", { refuse: "no" })], { ceilings: [frozen] })
    const daemon = await daemonWith({ policy: text, flags: { "hooks.autonomy": "ask" } })
    await daemon.decide(EVENT)
    const [row] = await rowsIn(daemon.folder)
    expect(row).toMatchObject({ outcome: "continue", tool: "write_file", hooks: [{ id: "no", effect: "advise" }] })
    expect(row!.ceilings).toEqual([
      { by: "caller", origin: "hooks.autonomy (--hooks-autonomy)" },
      { by: "daemon", id: "freeze", reason: "change freeze", origin: expect.stringMatching(/p\.json:1/) },
    ])
    const { cwd } = daemon
    const inForce = await loadPolicy({
      cwd,
      env: environment(join(cwd, "home")),
      policy: "p.json",
      flags: { "hooks.autonomy": "ask" },
    })
    expect(row!.hashes!.policy).toBe(policyHash(inForce.policy))
  })

  it("is where `audit.folder` says, and nothing of it elsewhere", async () => {
    const cwd = folderWith({ "p.json": NOTHING })
    const daemon = await daemonWith({ cwd, flags: { "audit.folder": join(cwd, "records") } })
    await daemon.decide(EVENT)
    expect(await rowsIn(join(cwd, "records"))).toHaveLength(1)
    expect(readdirSync(daemon.folder).filter((name) => name.startsWith("audit"))).toEqual([])
  })

  it("holds nothing of what is redacted, and neither do events: only its hash and its size", async () => {
    const text = policy([rule("seen", { advise: "seen" })], { "audit.redact": ["input.text", "caller.claims.*"] })
    const daemon = await daemonWith({ policy: text, env: { DETENT_AUDIT_REDACT: "refusal.reason" } })
    const args = { path: "a.txt", text: "hunter2" }
    await daemon.decide({ ...EVENT, args, caller: { id: "ci", mail: "ann@example.org" } })
    const events = await daemon.open({ path: "/v1/events?from=0" })
    const told = await new Promise<string>((resolve) => {
      let all = ""
      events.setEncoding("utf8").on("data", (chunk: string) => {
        all += chunk
        if (all.includes("call.decided")) resolve(all)
      })
    })
    events.destroy()
    expect(told).toMatch(/"text":\{"sha256":"[0-9a-f]{64}","bytes":9\}/)
    expect(told).toMatch(/"target":\{"sha256"/)
    expect(told).not.toMatch(/hunter2|ann@example/)
    for (const name of readdirSync(daemon.folder).filter((one) => one.startsWith("audit")))
      expect(readFileSync(join(daemon.folder, name), "latin1"), name).not.toMatch(/hunter2|ann@example/)
    const [row] = await rowsIn(daemon.folder)
    expect(row).toMatchObject({
      input: { path: "a.txt", text: { bytes: 9 } },
      caller: { claims: { id: { bytes: 4 } } },
    })
  })

  it("that cannot be written refuses, tells so in health, log and figures, and goes on once it can be written", async () => {
    const daemon = await daemonWith({ policy: NOTHING })
    const [file, away] = [join(daemon.folder, "audit.db"), join(daemon.folder, "away.db")]
    expect((await daemon.decide(EVENT)).body.outcome).toBe("continue")
    renameSync(file, away)
    expect((await daemon.decide(EVENT)).body).toMatchObject({ outcome: "refuse", refusal: { code: "audit" } })
    expect(await daemon.send({ path: "/healthz?ready" })).toMatchObject({
      status: 503,
      body: { status: "not written", audit: "not written: decisions are refused" },
    })
    expect(daemon.log.at(-1)).toMatchObject({
      message: "a decision could not be written",
      reason: expect.stringMatching(/was taken away or replaced/),
    })
    expect(await metrics(daemon)).toContain('detent_audit_unwritten_total{what="refused"} 1')
    renameSync(away, file)
    expect((await daemon.decide(EVENT)).body.outcome).toBe("continue")
    expect((await daemon.send({ path: "/healthz?ready" })).status).toBe(200)
    expect((await rowsIn(daemon.folder)).map(({ seq }) => seq)).toEqual([1, 2])
  })

  it("that need not be written goes on without, and says so as loudly", async () => {
    const daemon = await daemonWith({ policy: NOTHING, flags: { "audit.required": "false" } })
    renameSync(join(daemon.folder, "audit.db"), join(daemon.folder, "away.db"))
    expect((await daemon.decide(EVENT)).body.outcome).toBe("continue")
    expect(await daemon.send({ path: "/healthz?ready" })).toMatchObject({
      status: 200,
      body: { audit: "not written: decisions go on" },
    })
    expect(daemon.log.at(-1)!.message).toBe(
      "a decision could not be written, and was told all the same: `audit.required` is false",
    )
    expect(await metrics(daemon)).toContain('detent_audit_unwritten_total{what="told"} 1')
  })

  it("is required where any layer says so", async () => {
    const daemon = await daemonWith({
      policy: policy([], { "audit.required": true }),
      flags: { "audit.required": "false" },
    })
    renameSync(join(daemon.folder, "audit.db"), join(daemon.folder, "away.db"))
    expect((await daemon.decide(EVENT)).body.outcome).toBe("refuse")
  })

  it("keeps as many rows as it is told, at its start, and signs where it begins", async () => {
    const cwd = folderWith({ "p.json": NOTHING })
    const folder = join(cwd, "state", "detent")
    const old = await openAudit(folder)
    await Promise.all(Array.from({ length: 2500 }, (_, at) => old.append(decision(at))))
    await old.close()
    const daemon = await daemonWith({ cwd, flags: { "audit.keepRows": "10" } })
    const pruned = () => daemon.log.find(({ message }) => message.startsWith("the record was pruned"))
    await expect.poll(pruned, { timeout: 20_000 }).toMatchObject({ rows: 2490, first: 2491 })
    await daemon.decide(EVENT)
    expect(await metrics(daemon)).toContain("detent_audit_pruned_rows_total 2490")
    expect(await verify(folder)).toMatchObject({ ok: true, rows: 11, first: 2491 })
  })

  it("keeps rows as long as it is told", async () => {
    const cwd = folderWith({ "p.json": NOTHING })
    const folder = join(cwd, "state", "detent")
    const old = await openAudit(folder)
    await Promise.all([1, 2, 3].map((at) => old.append(decision(at))))
    await old.close()
    const young = await daemonWith({ cwd, flags: { "audit.keepDays": "1" } })
    await young.decide(EVENT)
    await young.running.stop(1000)
    expect(await rowsIn(folder)).toHaveLength(4)
    const daemon = await daemonWith({ cwd, flags: { "audit.keepDays": "1e-9" } })
    await expect.poll(async () => (await rowsIn(folder)).length, { timeout: 20_000 }).toBe(0)
    await daemon.decide(EVENT)
    expect(await verify(folder)).toMatchObject({ ok: true, first: 5 })
  })

  it("that does not hold is not pruned, and that is said", async () => {
    const cwd = folderWith({ "p.json": NOTHING })
    const folder = join(cwd, "state", "detent")
    const old = await openAudit(folder)
    await Promise.all([1, 2, 3, 4].map((at) => old.append(decision(at))))
    await old.close()
    tamper(folder, "DELETE FROM row WHERE seq = 2")
    const daemon = await daemonWith({ cwd, flags: { "audit.keepRows": "1" } })
    await expect
      .poll(() => daemon.log.find(({ message }) => message === "the record could not be pruned"), { timeout: 20_000 })
      .toMatchObject({ reason: expect.stringMatching(/take the proof away/) })
    expect((await rowsIn(folder)).map(({ seq }) => seq)).toEqual([1, 3, 4])
  })
})

it("a disk that is full refuses decisions; what was acknowledged is whole", { timeout: 60_000 }, async () => {
  const cwd = folderWith({ "p.json": NOTHING })
  const env = environment(join(cwd, "home"))
  // No file of this process may grow beyond so many blocks: what it writes there fails as on a full disk.
  const words = [process.execPath, BIN, "serve", "--policy", "p.json", "--socket", join(cwd, "run", "d.sock")]
  const child = spawn("sh", ["-c", 'ulimit -f 400; exec "$@"', "sh", ...words], { cwd, env, stdio: "ignore" })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const way = { socketPath: join(cwd, "run", "d.sock") }
  await expect.poll(() => existsSync(way.socketPath), { timeout: 20_000 }).toBe(true)
  const decide = () => send(way, { path: "/v1/decide", body: { ...EVENT, args: { text: "x".repeat(20_000) } } })
  let [told, body] = [0, (await decide()).body]
  for (; body.outcome === "continue" && told < 200; told++) body = (await decide()).body
  expect(told).toBeLessThan(200)
  expect(body).toMatchObject({ outcome: "refuse", refusal: { code: "audit" } })
  child.kill("SIGKILL")
  await ended
  const folder = join(cwd, "home", ".local", "state", "detent")
  const { ok, rows } = await verify(folder)
  expect({ ok, all: rows >= told }).toEqual({ ok: true, all: true })
})
