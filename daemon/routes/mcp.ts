import { AsyncLocalStorage } from "node:async_hooks"
import { type Context, ROOT_CONTEXT } from "@opentelemetry/api"
import { inherited } from "../../actions/run/environment.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import { Gateway } from "../../mcp/gateway/gateway.ts"
import { HttpGateway } from "../../mcp/gateway/http.ts"
import { ownTools } from "../../mcp/gateway/own.ts"
import type { Hook } from "../../policy/policy.ts"
import { decisionOf } from "../../store/audit/decision.ts"
import { type Asked, member } from "../asked.ts"
import { type CallSettings, callerLevel, sourcesFor } from "../autonomy.ts"
import { engineWith } from "../call-hooks.ts"
import { type Caller, callerEvent } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import type { Door } from "../doors.ts"
import { operating } from "../operate.ts"
import type { Standing } from "../standing.ts"
import { parentIn, traced } from "../traces.ts"

/** What one request brings to all that it causes: the policy that it came under, and its own settings. */
interface Under {
  readonly standing: Standing
  readonly settings: CallSettings
  readonly parent: Context
}

const under = new AsyncLocalStorage<Under>()

/** One message of an MCP client's, or what its session is told. */
export async function mcp({ caller, request, settings, header }: Asked, daemon: Daemon): Promise<Response> {
  const { standing } = daemon
  // An answer of MCP has no place for these.
  for (const notice of settings.notices) daemon.log.warn({ caller: caller.id }, notice)
  return standing.use(async () => {
    const door = await standing.doors.of(JSON.stringify(caller), () => doorOf(daemon, standing, caller))
    return under.run({ standing, settings, parent: parentIn(header("traceparent")) }, () => door.http.fetch(request))
  })
}

async function doorOf(daemon: Daemon, { servers, doors, policy }: Standing, caller: Caller): Promise<Door> {
  const { world, log, recorder } = daemon
  const who = callerEvent(caller, undefined)
  const engine = engineOf(daemon, caller)
  const place = { cwd: world.cwd, env: inherited(world.env) }
  const now = () => under.getStore()?.standing.policy ?? policy
  const sources = (script: JsonObject) => {
    const { standing, settings } = under.getStore() ?? { standing: daemon.standing, settings: { notices: [] } }
    const event = { ...script, on: "script", caller: who }
    return sourcesFor(callerLevel(standing, caller, settings.autonomy, event).autonomy)
  }
  const withHooks = async (hooks: readonly Hook[]) => {
    const engine = await engineWith(under.getStore()?.standing ?? daemon.standing, hooks)
    return { around: engineOf(daemon, caller, engine).around, close: () => engine.close() }
  }
  const onProgress = (server: string, params: JsonObject): void => daemon.publish("progress", { server, params })
  const own = ownTools({ place, engine, servers, policy: now, gateway: () => gateway, sources, withHooks })
  const gateway: Gateway = new Gateway({ engine, pool: await servers.pool(), own, caller: who, onProgress })
  const http = new HttpGateway({
    gateway,
    clients: doors.clients,
    // Where a request is from was looked at before anything else of it.
    door: { refuses: () => undefined },
    onFault: (text) => log.warn({ caller: caller.id }, text),
    onRefused: async (reason) => {
      await recorder.written({ caller: who, on: "mcp", outcome: "refuse", refusal: { reason, code: "envelope" } })
    },
  })
  return { gateway, http }
}

/** The engine of whatever policy a request came under, with everything that it decides written down. */
function engineOf(daemon: Daemon, caller: Caller, withHooks?: Engine): Pick<Engine, "fire" | "around"> {
  const who = callerEvent(caller, undefined)
  const now = (): Under =>
    under.getStore() ?? { standing: daemon.standing, settings: { notices: [] }, parent: ROOT_CONTEXT }
  return {
    around: (on, event, operation, given) => {
      const { standing, settings, parent } = now()
      return standing.use(() => {
        const { autonomy } = callerLevel(standing, caller, settings.autonomy, { ...event, on, caller: who })
        const engine = operating({ daemon, standing, caller: who, parent, ...(withHooks ? { engine: withHooks } : {}) })
        return engine.around(on, event, operation, { ...given, ...(autonomy === undefined ? {} : { autonomy }) })
      })
    },
    fire: (on, phase, event, given = {}) => {
      const { standing, settings, parent } = now()
      return standing.use(async () => {
        const { autonomy } = callerLevel(standing, caller, settings.autonomy, { ...event, on, caller: who })
        const level = autonomy === undefined ? {} : { autonomy }
        let approval: string | undefined
        const named = (id: string): void => {
          approval = id
        }
        const ask = daemon.approvals.waiting(standing, named, given.ask)
        const verdict = await traced({ on, phase, event, caller: who, parent }, () =>
          standing.engine.fire(on, phase, event, { ...given, ...level, ask, caller: who }),
        )
        const decision = { event, on, phase, caller: who, verdict, policy: standing.hashes.policy }
        return daemon.recorder.record(decisionOf({ ...decision, ...member("approval", approval) }), verdict)
      })
    },
  }
}
