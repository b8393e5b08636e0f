import type { Readable, Writable } from "node:stream"
import type { ProtocolError } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { Cancel } from "../cancel.ts"
import { InFlight } from "../in-flight.ts"
import { type Clients, carried } from "./clients.ts"
import type { Answer, Gateway } from "./gateway.ts"
import { type Leg, partsOfMeta } from "./leg.ts"
import { asOlder } from "./revisions.ts"
import { Rounds } from "./rounds.ts"
import { Session } from "./session.ts"
import { followSubscriptions } from "./subscriptions.ts"
import { Wire } from "./wire.ts"

export interface StdioOptions {
  readonly gateway: Gateway
  readonly clients: Clients
  readonly stdin: Readable
  readonly stdout: Writable
  /** one sentence on what was refused before any hook, or went wrong beside any request */
  readonly onFault: (text: string) => void
  /** ends the session, as the client's leaving does */
  readonly signal?: AbortSignal
}

/** Serves the one client at stdin and stdout until it is gone. */
export async function serveClient({ gateway, clients, stdin, stdout, onFault, signal }: StdioOptions): Promise<void> {
  const rounds = new Rounds()
  let calls: Calls | undefined
  const wire = new Wire({
    stdin,
    stdout,
    onRefused: (why) => onFault(`a message is refused: ${why}`),
    first: (message) => {
      if (calls?.take(message)) return true
      const can = capabilitiesIn(message)
      if (can) clients.capabilities = carried(can)
      void followSubscriptions(gateway, message)
      return false
    },
  })
  const gone = new Promise<void>((resolve) => {
    const handle = serveStdio(
      async ({ era }) => {
        const session = await Session.open({ gateway, clients, rounds, era })
        calls = new Calls(wire, session)
        return session.server
      },
      { transport: wire, onerror: (error) => onFault(error.message) },
    )
    const { onclose } = wire
    wire.onclose = () => {
      onclose?.()
      calls?.close()
      rounds.close()
      handle.close().then(resolve, resolve)
    }
  })
  signal?.addEventListener("abort", () => void wire.close(), { once: true })
  await gone
}

/** What a first message says that its client can: at the handshake, or with each request. */
function capabilitiesIn({ method, params }: JsonObject): JsonObject | undefined {
  if (!isObject(params)) return undefined
  const said = method === "initialize" ? params.capabilities : undefined
  const meta = isObject(params._meta) ? params._meta["io.modelcontextprotocol/clientCapabilities"] : undefined
  return isObject(said) ? said : isObject(meta) ? meta : undefined
}

/**
 * The calls of tools, which do not go through the SDK once a session stands: each is parsed once and checked by the gate alone,
 * and an answer that no hook looked at keeps its server's own bytes.
 */
class Calls {
  readonly #wire: Wire
  readonly #session: Session
  readonly #under = new InFlight<unknown, Cancel>()
  #ready = false

  constructor(wire: Wire, session: Session) {
    this.#wire = wire
    this.#session = session
    session.server.oninitialized = () => {
      this.#ready = true
    }
  }

  /** Takes a call, or the end of one that was taken. */
  take({ id, method, params = {} }: JsonObject): boolean {
    const about = params as JsonObject
    if (method === "notifications/cancelled") {
      const under = this.#under.get(about.requestId)
      under?.abort()
      // Its id is free again at once, whatever hooks still do about its end.
      return this.#under.delete(about.requestId)
    }
    // Until the handshake is over, and in revisions that check each request's envelope, the SDK has its say first.
    if (method !== "tools/call" || id === undefined || !this.#ready) return false
    this.#run(id as string | number, about)
    return true
  }

  #run(id: string | number, params: JsonObject): void {
    const cancel = new Cancel()
    this.#under.add(id, cancel)
    const { meta, progressToken } = partsOfMeta(isObject(params._meta) ? params._meta : undefined)
    const leg: Leg = {
      meta,
      progressToken,
      signal: cancel,
      can: this.#session.can(undefined),
      input: this.#session.input!,
      notify: (method, news) => this.#write({ jsonrpc: "2.0", method, params: news }),
    }
    this.#session.call(params, leg).then(
      (answer) => this.#ends(id, cancel) && this.#answer(id, answer),
      (cause: ProtocolError) => this.#ends(id, cancel) && this.#fail(id, cause),
    )
  }

  /** Whether this was still under way: what has been cancelled gets no answer. */
  #ends(id: string | number, { aborted }: Cancel): boolean {
    return !aborted && this.#under.delete(id)
  }

  #answer(id: string | number, { result, line }: Answer): void {
    const shown = asOlder(result)
    const text = line && shown === result && rekeyed(line.text, line.id, id)
    this.#send(text || JSON.stringify({ jsonrpc: "2.0", id, result: shown }), id)
  }

  #fail(id: string | number, { code, message, data }: ProtocolError): void {
    this.#send(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } }),
      id,
    )
  }

  #write(message: JsonObject): void {
    this.#send(JSON.stringify(message), undefined)
  }

  #send(text: string, answers: string | number | undefined): void {
    // A client that has gone meanwhile needs no answer.
    this.#wire.write(text, answers).catch(() => {})
  }

  close(): void {
    for (const cancel of this.#under.all()) cancel.abort()
  }
}

/**
 * A line with our id in place of the one it bears, where that stands at its beginning or its end; else undefined. Ours comes
 * last: a server may have written a second one, and of two the last counts.
 */
function rekeyed(text: string, from: string, to: string | number): string | undefined {
  const start = `{"jsonrpc":"2.0","id":"${from}",`
  const end = `,"id":"${from}"}`
  const rest = text.startsWith(start)
    ? `{"jsonrpc":"2.0",${text.slice(start.length, -1)}`
    : text.endsWith(end) && text.slice(0, -end.length)
  return rest ? `${rest},"id":${JSON.stringify(to)}}` : undefined
}
