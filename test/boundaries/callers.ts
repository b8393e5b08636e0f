import { ROUTE_NAMES, routeRow } from "../../daemon/routes.ts"
import { SCOPE_NAMES } from "../../store/scopes.ts"
import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith, type Started, tokenIn } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const passed = async (daemon: Started, more: object = {}): Promise<boolean> =>
  (await daemon.decide(EVENT, more)).status === 200

export const token: Attempts<"token"> = {
  async tcp(bounded) {
    const daemon = await daemonWith({ tcp: true })
    return passed(daemon, { token: bounded ? "detent_guessed" : await tokenIn(daemon, "ci") })
  },
  async socket(bounded) {
    const daemon = await daemonWith()
    if (bounded) await tokenIn(daemon, "ci")
    return passed(daemon)
  },
  async body(bounded) {
    const others = rule("others", { refuse: "no" }, { when: { if: { "!=": [{ var: "caller.id" }, "root"] } } })
    const daemon = await daemonWith({ policy: policy([others]) })
    const own = await tokenIn(daemon, bounded ? "ci" : "root")
    const { body } = await daemon.decide({ ...EVENT, caller: { id: "root" } }, { token: own })
    return body.outcome === "continue"
  },
}

/** Whether any route lets a caller in that has all scopes but those it wants; else, whether every route lets one in that has. */
async function everyRoute(bounded: boolean): Promise<boolean> {
  const daemon = await daemonWith()
  const answers: boolean[] = []
  for (const name of ROUTE_NAMES) {
    const { method, path, scopes: wanted = [] } = routeRow(name)
    if (wanted.length === 0) continue
    const scopes = SCOPE_NAMES.filter((scope) => bounded !== (wanted as readonly string[]).includes(scope))
    const own = await tokenIn(daemon, `${name}-caller`, { scopes })
    const response = await daemon.open({ method, path: path.replace(/\{\w+\}/, "x"), token: own })
    answers.push(response.statusCode !== 403)
    response.destroy()
  }
  return bounded ? answers.includes(true) : !answers.includes(false)
}

export const scopes: Attempts<"scopes"> = { routes: everyRoute }

const FOREIGN = "https://evil.example"

export const origin: Attempts<"origin"> = {
  async tcp(bounded) {
    const daemon = await daemonWith({ tcp: true, flags: bounded ? {} : { "serve.origins": FOREIGN } })
    return passed(daemon, { token: await tokenIn(daemon, "ci"), headers: { origin: FOREIGN } })
  },
  async socket(bounded) {
    const daemon = await daemonWith({ flags: bounded ? {} : { "serve.origins": FOREIGN } })
    return passed(daemon, { headers: { origin: FOREIGN } })
  },
  async host(bounded) {
    const daemon = await daemonWith({ tcp: true })
    return passed(daemon, {
      token: await tokenIn(daemon, "ci"),
      headers: { host: bounded ? "evil.example" : "localhost" },
    })
  },
}
