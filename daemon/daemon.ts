import type { JsonObject } from "../effects/json.ts"
import type { HappeningType } from "../policy/happenings.ts"
import { settingOf } from "../policy/said.ts"
import type { SettingPath } from "../policy/settings.ts"
import { VERSION } from "../settings/version.ts"
import type { Recorder } from "../store/audit/recorder.ts"
import { openState, type State } from "../store/state/state.ts"
import { Approvals } from "./approvals.ts"
import { Bus } from "./bus.ts"
import { type Loaded, loadWhole } from "./load.ts"
import { type Logger, loggerOf } from "./log.ts"
import { type Metrics, metricsOf } from "./metrics.ts"
import { serverKind } from "./notifications.ts"
import { Puts } from "./puts.ts"
import { type DaemonRecord, openRecord } from "./record.ts"
import { type Reloaded, Reloader } from "./reload.ts"
import { type Listeners, type Standing, standUp } from "./standing.ts"
import { recordSwitch } from "./switch.ts"
import type { World } from "./world.ts"

/** What the routes work on: the policy in force, what is remembered, and who is told. */
export class Daemon {
  readonly world: World
  readonly log: Logger
  readonly metrics: Metrics
  readonly state: State
  readonly approvals: Approvals
  readonly bus = new Bus()
  #record: DaemonRecord | undefined
  #standing: Standing | undefined
  /** what was last read and is good, without what was put */
  #loaded: Loaded | undefined
  readonly #puts = new Puts()
  #reloader: Reloader | undefined
  readonly #retiring = new Set<Promise<void>>()
  /** whether it takes no more work */
  stopping = false

  private constructor(world: World, log: Logger, state: State) {
    this.world = world
    this.log = log
    this.state = state
    this.metrics = metricsOf(VERSION, this.bus)
    this.approvals = new Approvals(state.approvals, (type, about) => this.publish(type, about))
  }

  /** @throws PolicyError on a bad policy, StoreError where something that must be remembered cannot be. */
  static async open(world: World): Promise<Daemon> {
    const loaded = await loadWhole(world)
    const log = loggerOf(world, loaded.policy)
    const daemon = new Daemon(world, log, await openState(world.folder))
    for (const notice of loaded.notices) log.warn(notice)
    try {
      daemon.#record = await openRecord(loaded.policy, daemon)
      await daemon.#replace(loaded)
    } catch (cause) {
      await daemon.#record?.close()
      daemon.state.close()
      throw cause
    }
    daemon.#reloader = new Reloader({
      world,
      started: loaded,
      use: (layered) => daemon.#replace(layered),
      tell: (reloaded) => daemon.#tellReloaded(reloaded),
    })
    return daemon
  }

  /** Writes decisions down before anybody is told of them. */
  get recorder(): Recorder {
    if (!this.#record) throw new Error("nothing is recorded yet")
    return this.#record.recorder
  }

  /** Reads the policy again now; one that is bad leaves the last good one in force, which is told. */
  async reload(): Promise<void> {
    await this.#reloader?.reload()
  }

  /** Says a hot setting over all that is written, until the daemon ends. */
  async put(path: SettingPath, value: unknown): Promise<void> {
    await this.#reloader!.inTurn(async () => {
      const takeBack = this.#puts.say(path, value)
      try {
        await this.#replace(this.#loaded!)
      } catch (cause) {
        takeBack()
        throw cause
      }
    })
  }

  /** Why what is written is not in force; undefined: it is. */
  get stale(): string | undefined {
    return this.#reloader?.error
  }

  /** Puts a policy into force in one step; what runs under the one before comes to its end there. */
  async #replace(loaded: Loaded): Promise<void> {
    this.#loaded = loaded
    const layered = this.#puts.over(loaded)
    const before = this.#standing
    await recordSwitch(this.recorder, layered.policy, before?.policy)
    this.#standing = await standUp(layered, this.world, this.#listeners, before)
    this.log.level = settingOf(layered.policy, "log.level")
    if (!before) return
    const retiring: Promise<void> = before.retire().finally(() => this.#retiring.delete(retiring))
    this.#retiring.add(retiring)
  }

  #tellReloaded(reloaded: Reloaded): void {
    const { policy, hashes } = this.standing
    const about = { policy: hashes.policy, hooks: policy.hooks.length }
    if ("error" in reloaded) {
      this.log.error({ ...about, error: reloaded.error }, "the policy is bad, and the last good one stays in force")
    } else {
      for (const notice of reloaded.notices) this.log.warn(notice)
      this.log.info(about, "the policy was read again and is in force")
    }
    this.metrics.reloads.inc({ result: "error" in reloaded ? "kept" : "in force" })
    this.metrics.stale.set("error" in reloaded ? 1 : 0)
    this.publish("policy.reloaded", { ...about, ...reloaded })
  }

  get standing(): Standing {
    if (!this.#standing) throw new Error("no policy is in force yet")
    return this.#standing
  }

  /** Runs something under the policy that is in force now; it stays what it is until that is done. */
  use<T>(work: (standing: Standing) => Promise<T>): Promise<T> {
    return this.standing.use(work)
  }

  /** Tells everybody of something that no operation tells of itself. */
  publish(type: HappeningType, about: JsonObject): void {
    this.standing.engine.publish(type, about)
  }

  readonly #listeners: Listeners = {
    seq: () => this.bus.next(),
    publish: (happening) => {
      this.bus.publish(this.#record ? this.#record.redact(happening) : happening)
      const { type, failed } = happening
      if (type === "hook.failed") this.metrics.hookFailures.inc({ kind: String((failed as { kind?: unknown })?.kind) })
    },
    onObserved: (frame) => {
      if (frame.type === "log") this.log.warn(frame.args.map(String).join(" "))
      else if (frame.type === "hook" && frame.failed) {
        this.log.warn({ hook: frame.hook, on: frame.on, failed: frame.failed.kind }, frame.failed.message)
      }
    },
    told: (text) => this.log.warn(text),
    server: (server) => (method, params) => {
      const kind = serverKind(method)
      if (kind) this.publish(kind, { server, params })
    },
  }

  /** Lets what is running come to its end, observers too, for at most so long (ms); then ends all that was started. */
  async close(graceMs = 0): Promise<void> {
    this.stopping = true
    this.bus.close()
    await this.#reloader?.close()
    const ended = Promise.all([this.#standing?.retire(), ...this.#retiring])
    if (!(await within(graceMs, ended))) this.log.warn("what still runs is left to end with the process")
    await this.#record?.close()
    this.state.close()
  }
}

/** Whether something has come to its end within so many milliseconds. */
async function within(ms: number, ended: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const over = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return over
}
