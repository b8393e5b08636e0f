import { clientHooks } from "../../actions/client-hooks.ts"
import { engineOf } from "../../actions/engine.ts"
import type { Surroundings } from "../../dialects/conduit/chain.ts"
import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import { OperationError } from "../../engine/errors.ts"
import type { Ports } from "../../engine/ports.ts"
import "../../policy/match/re2.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { isToolResult } from "../tool-result.ts"
import { eraOf, type McpClient, type Plain, withOptions } from "./client.ts"
import { Gate } from "./gate.ts"
import { Known } from "./known.ts"
import { checkOptions, type HookedOptions } from "./options.ts"
import { stand } from "./stand.ts"

/**
 * Puts hooks around a client of the official MCP SDK: the client that it answers is used in the place of the one given.
 *
 * @throws PolicyError with everything that is wrong with the hooks, TypeError on an option that is none, RangeError on an
 *   unknown setting or level.
 */
export async function withHooks<Client extends McpClient>(client: Client, options: HookedOptions): Promise<Client> {
  checkOptions(options)
  const { server, policy = parsePolicy("version: 1"), onObserved, ask, settings = {} } = options
  const plain = client as unknown as Plain
  const known = new Known(server, plain)
  const hooks = clientHooks(options.hooks ?? {}, {
    onTelemetry: options.onTelemetry,
    hookTimeout: options.hookTimeout,
    // Each request is known by the very object that says where it stands.
    surroundings: (operation) => operation as Surroundings,
    isResult: isToolResult,
    fits: (_, tool, args) => known.fits(tool, args),
  })
  const engines = new Engines(() =>
    engineOf(
      { policy, settings, ...portsOf(server, plain, known), ...(ask && { ask }), ...(onObserved && { onObserved }) },
      hooks,
    ),
  )
  await engines.open()
  const gate = new Gate({
    engine: () => engines.open(),
    surroundings: ({ assigns }) => ({
      client: wrapped,
      ...(eraOf(plain) && { era: eraOf(plain) }),
      assigns: { ...options.assigns, ...assigns },
    }),
    caller: options.caller,
    onFrame: options.onFrame,
  })
  const looks = options.policy !== undefined || (options.hooks?.pre_tool_call ?? []).length > 0
  const way = { server, gate, known, looks }
  const wrapped: Client = stand(client, way, () => engines.close())
  return wrapped
}

/** The engine, and after the client has been closed another one: a client may connect again. */
class Engines {
  readonly #make: () => Promise<Engine>
  #engine: Promise<Engine> | undefined

  constructor(make: () => Promise<Engine>) {
    this.#make = make
  }

  open(): Promise<Engine> {
    this.#engine ??= this.#make()
    return this.#engine
  }

  async close(): Promise<void> {
    const engine = this.#engine
    this.#engine = undefined
    await (await engine)?.close()
  }
}

type ClientPorts = Required<Pick<Ports, "call" | "fits" | "fitsResult" | "annotations">>

/** The one server that a policy's hooks can reach from here is the client's own. */
function portsOf(own: string, client: Plain, known: Known): ClientPorts {
  return {
    async call(server, tool, args, meta, signal) {
      if (server !== own) {
        const message = `no server \`${server}\` can be reached from here: the client's is \`${own}\``
        throw new OperationError({ code: "unavailable", message })
      }
      const params: JsonObject = { name: tool, arguments: args, ...(meta && { _meta: meta }) }
      const result = await client.callTool(params, ...withOptions(client, signal ? { signal } : {}))
      return isObject(result) ? result : {}
    },
    fits: (_, tool, input) => known.fits(tool, input),
    // The SDK has held the server's answer against its schema; a hook's own has only to be of one mind with itself.
    fitsResult: () => undefined,
    annotations: (_, tool) => known.annotations(tool),
  }
}
