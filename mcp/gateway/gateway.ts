import { ProtocolError } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import type { FireOptions } from "../../engine/given.ts"
import type { Ports } from "../../engine/ports.ts"
import type { Frame } from "../../frames/frames.ts"
import { type ParamHeader, paramHeadersOf } from "../param-headers.ts"
import type { Pool } from "../pool.ts"
import type { Reply } from "../tap.ts"
import { type About, aboutServers } from "./about.ts"
import { plainAnswer, saidOfListing, toolAnswer } from "./answer.ts"
import { askThrough } from "./ask.ts"
import { Catalog, type Listing } from "./catalog.ts"
import { type Leg, progressOf } from "./leg.ts"
import type { Pair } from "./names.ts"

const INVALID_PARAMS = -32602

/** A tool of the gateway's own. */
export interface OwnTool {
  readonly definition: JsonObject & { readonly name: string }
  run(args: JsonObject, leg: Leg, options: FireOptions): Promise<JsonObject>
}

export interface GatewayOptions {
  readonly engine: Pick<Engine, "fire" | "around">
  readonly pool: Pool
  /** the one server that is stood in for */
  readonly only?: string | undefined
  readonly own?: readonly OwnTool[]
  /** who the clients are; absent: the local user */
  readonly caller?: JsonObject | undefined
  /** where questions go that a client cannot put to a person; absent: nowhere, so they refuse */
  readonly ask?: Ports["ask"]
  readonly onFrame?: ((frame: Frame) => void) | undefined
  /** watches the progress of requests whose clients want to know of it */
  readonly onProgress?: (server: string, news: JsonObject) => void
}

/** What a client gets of a call, and the line that it came in where it is that very result. */
export interface Answer {
  readonly result: JsonObject
  readonly line?: Reply["line"]
}

const looksAtResult = (frame: Frame): boolean => frame.type === "hook" && frame.phase === "onSuccess"

/** The gate between clients and servers: whatever passes, passes the hooks. */
export class Gateway {
  readonly catalog: Catalog
  readonly #options: GatewayOptions
  readonly #own: ReadonlyMap<string, OwnTool>

  constructor(options: GatewayOptions) {
    this.#options = options
    this.catalog = new Catalog(options.pool, options.only)
    this.#own = new Map((options.own ?? []).map((tool) => [tool.definition.name, tool]))
  }

  /** What one request brings into the engine. */
  options(leg: Leg): FireOptions {
    const { caller, onFrame } = this.#options
    const ask = askThrough(leg) ?? this.#options.ask
    const options: { -readonly [O in keyof FireOptions]: FireOptions[O] } = { signal: leg.signal }
    if (caller) options.caller = caller
    if (ask) options.ask = ask
    if (onFrame) options.onFrame = onFrame
    return options
  }

  /** All tools, as the hooks of each listing left them, and the gateway's own. */
  async tools(leg: Leg): Promise<Listing> {
    const { entries, diagnostics } = await this.catalog.list("tools")
    const servers = [...new Set(entries.map(({ server }) => server))]
    const heard = await Promise.all(
      servers.map((server) => {
        const tools = entries.filter((entry) => entry.server === server).map(({ item }) => item)
        return this.#heard(server, tools, leg)
      }),
    )
    const named = this.catalog.named({
      entries: heard.flatMap((part) => part.entries),
      diagnostics: [...diagnostics, ...heard.flatMap((part) => part.diagnostics)],
    })
    const own = [...this.#own.values()].map(({ definition }) => ({ server: "detent", item: definition }))
    return { ...named, entries: [...named.entries, ...own] }
  }

  /** Lets the hooks of a listing have their say; what they refuse is not shown, and that is told. */
  async #heard(server: string, tools: readonly JsonObject[], leg: Leg): Promise<Listing> {
    const verdict = await this.#options.engine.fire(
      "tools.list",
      "onSuccess",
      { server, result: { tools } },
      this.options(leg),
    )
    const said = saidOfListing(server, verdict)
    if (verdict.outcome === "refuse" || verdict.outcome === "ask") {
      const { reason } = verdict.refusal ?? { reason: `nobody can be asked here: ${verdict.questions[0]?.question}` }
      return { entries: [], diagnostics: [`the tools of \`${server}\` are withheld: ${reason}`, ...said] }
    }
    const { tools: left } = verdict.result as { readonly tools: readonly JsonObject[] }
    return {
      entries: left.map((item) => ({ server, item })),
      diagnostics: said,
    }
  }

  /** What a tool wants as headers beside its arguments; nothing where the tool is not known. */
  async paramHeaders(wire: string): Promise<readonly ParamHeader[]> {
    try {
      const { server, name } = await this.catalog.pair("tools", wire)
      return paramHeadersOf((await this.#options.pool.tool(server, name))?.inputSchema)
    } catch {
      // The call itself says what is wrong.
      return []
    }
  }

  /** One call by the name that the client sees. */
  async call(params: JsonObject, leg: Leg): Promise<Answer> {
    const { name, arguments: args = {}, task } = params
    // A task's result would be fetched by a request of its own, past the hooks that look at results.
    if (task !== undefined) throw new ProtocolError(INVALID_PARAMS, "the gateway carries no tasks: call without `task`")
    const own = this.#own.get(String(name))
    if (own) return { result: await own.run(args as JsonObject, leg, this.options(leg)) }
    return await this.callPair(await this.catalog.pair("tools", String(name)), args as JsonObject, params, leg)
  }

  /**
   * One call through every hook, and what a client gets of it.
   *
   * @param given all parameters: those that no revision knows yet go on to the server as they are
   */
  async callPair({ server, name: tool }: Pair, args: JsonObject, given: JsonObject, leg: Leg): Promise<Answer> {
    const { engine, pool, onProgress } = this.#options
    const known = await pool.tool(server, tool).catch(() => undefined)
    const event: JsonObject = { server, tool, args }
    if (leg.meta) event.meta = leg.meta
    if (known?.annotations) event.annotations = { ...known.annotations }
    let sent: Reply | undefined
    const verdict = await engine.around<JsonObject>(
      "call",
      event,
      async (input, { meta, signal, exit }) => {
        const options = {
          meta,
          signal,
          onProgress: progressOf(leg, (news) => onProgress?.(server, news)),
          input: leg.input,
        }
        sent = await pool.server(server).request("tools/call", callOf(tool, input, given), options)
        if (sent.result.isError === true) exit(1)
        return sent.result
      },
      this.options(leg),
    )
    const result = toolAnswer(verdict, sent?.result)
    // INVARIANT: what a hook has looked at is what goes out: the server's own bytes only where none has (a key written twice
    // would else be one thing to the hook and another to the client).
    const asItCame = result === sent?.result && !verdict.frames.some(looksAtResult)
    return asItCame && sent?.line ? { result, line: sent.line } : { result }
  }

  async prompt(params: JsonObject, leg: Leg): Promise<JsonObject> {
    const { name, arguments: args = {}, _meta, ...rest } = params
    const pair = await this.catalog.pair("prompts", String(name))
    const event = { server: pair.server, name: pair.name, args: args as JsonObject }
    return this.#around("prompt.get", event, leg, (input) => [
      "prompts/get",
      { ...rest, name: pair.name, arguments: input },
    ])
  }

  async resource(params: JsonObject, leg: Leg): Promise<JsonObject> {
    const { uri, _meta, ...rest } = params
    const server = await this.catalog.serverOf(String(uri))
    return this.#around("resource.read", { server, uri: String(uri) }, leg, () => ["resources/read", { ...rest, uri }])
  }

  async #around(
    point: "resource.read" | "prompt.get",
    event: JsonObject & { readonly server: string },
    leg: Leg,
    request: (input: JsonObject) => readonly [method: string, params: JsonObject],
  ): Promise<JsonObject> {
    const { engine } = this.#options
    let sent: JsonObject | undefined
    const verdict = await engine.around<JsonObject>(
      point,
      event,
      async (input, { signal }) => {
        const [method, params] = request(input)
        sent = await this.pass(event.server, method, params, { ...leg, signal: signal ?? leg.signal })
        return sent
      },
      this.options(leg),
    )
    return plainAnswer(point, verdict, sent)
  }

  /** One request that no hook stands around. */
  async pass(server: string, method: string, params: JsonObject, leg: Leg): Promise<JsonObject> {
    const { meta, signal, input } = leg
    const { onProgress } = this.#options
    const sending = { meta, signal, onProgress: progressOf(leg, (news) => onProgress?.(server, news)), input }
    return (await this.#options.pool.server(server).request(method, params, sending)).result
  }

  /** Sets the level of log messages with every server that has any, now and after each start. */
  async setLevel(level: unknown): Promise<void> {
    await Promise.all(this.catalog.servers.map((server) => this.#options.pool.server(server).setLevel(level)))
  }

  async subscribe(uri: string): Promise<void> {
    await this.#options.pool.server(await this.catalog.serverOf(uri)).subscribe(uri)
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.#options.pool.server(await this.catalog.serverOf(uri)).unsubscribe(uri)
  }

  /** Tells every server that runs. */
  async notify(method: string, params: JsonObject): Promise<void> {
    const { pool } = this.#options
    await Promise.all(
      this.catalog.servers.map((server) =>
        pool
          .server(server)
          .notify(method, params)
          .catch(() => {}),
      ),
    )
  }

  /** What the gateway says of itself. */
  about(): Promise<About> {
    return aboutServers(this.#options.pool, this.catalog.only)
  }
}

/** The parameters of a call to a server. Member by member: a rest or a spread costs Node 20 more than a guard does. */
function callOf(name: string, args: JsonObject, given: JsonObject): JsonObject {
  const params: JsonObject = { name, arguments: args }
  for (const member of Object.keys(given)) if (!OURS.has(member)) params[member] = given[member]
  return params
}

const OURS: ReadonlySet<string> = new Set(["name", "arguments", "_meta", "__proto__"])
