import { Clients } from "../mcp/gateway/clients.ts"
import type { Gateway } from "../mcp/gateway/gateway.ts"
import type { HttpGateway } from "../mcp/gateway/http.ts"
import type { Peer } from "../mcp/peer.ts"

/** Where one caller's MCP clients come in. */
export interface Door {
  readonly gateway: Gateway
  readonly http: HttpGateway
}

/** The MCP clients of one set of servers, by caller: nobody sees another's sessions. */
export class Doors {
  readonly clients: Clients
  readonly #doors = new Map<string, Promise<Door>>()
  readonly #open = new Set<Door>()

  constructor(onFault: (text: string) => void) {
    this.clients = new Clients(onFault)
  }

  /** Whom a server speaks to: what it asks goes to whoever has a request under way, and to nobody else. */
  peer(server: string, notified: NonNullable<Peer["notified"]>): Peer {
    const peer = this.clients.peer(server, false)
    return {
      ...peer,
      input: undefined,
      notified: (method, params) => {
        if (method.endsWith("/list_changed")) this.changed()
        peer.notified?.(method, params)
        notified(method, params)
      },
    }
  }

  /** What a server lists may have changed. */
  changed(): void {
    for (const { gateway } of this.#open) gateway.catalog.changed()
  }

  /** A caller's door, made when it first comes. */
  async of(caller: string, make: () => Promise<Door>): Promise<Door> {
    const known = this.#doors.get(caller)
    if (known) return known
    const making = make()
    this.#doors.set(caller, making)
    try {
      const door = await making
      this.#open.add(door)
      return door
    } catch (cause) {
      this.#doors.delete(caller)
      throw cause
    }
  }

  /** Ends what clients are told outside of any request; requests under way go on. */
  rest(): void {
    for (const { http } of this.#open) http.rest()
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map(({ http }) => http.close()))
  }
}
