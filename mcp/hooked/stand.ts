import { isObject, type JsonObject } from "../../effects/json.ts"
import type { McpClient, Plain } from "./client.ts"
import { PASSAGES, unsupported, type Way } from "./passages.ts"
import { givenOf } from "./per-call.ts"

type Method = (...given: readonly unknown[]) => unknown

/** The client's own names for what passes the hooks. */
const METHODS = Object.freeze({
  callTool: "tools/call",
  listTools: "tools/list",
  readResource: "resources/read",
  getPrompt: "prompts/get",
} as const satisfies Partial<Record<keyof Plain, string>>)

/**
 * Stands in front of a client. It is a Proxy and no class, so that whatever the SDK's client has, now or in a later version,
 * is there and is the client's own: a class would have to name it all, and what it forgot would be lost.
 *
 * @param closed is run once the client has been closed
 */
export function stand<Client extends McpClient>(client: Client, way: Way, closed: () => Promise<void>): Client {
  const own = methods(client as unknown as Plain, way, closed)
  const bound = new WeakMap<object, unknown>()
  /** What is put in the place of a method that passes the hooks, by a spy for one, stands here and not in the client. */
  const at = (target: Client, key: PropertyKey): object => (Object.hasOwn(own, key) ? own : target)
  return new Proxy(client, {
    get(target, key) {
      const holder = at(target, key)
      // Getters and methods run on the client itself: what it calls of its own has passed, or need not.
      const value: unknown = Reflect.get(holder, key, holder)
      if (key === "experimental") return withoutStreams(value)
      if (typeof value !== "function" || key === "constructor" || Object.hasOwn(holder, key)) return value
      const method: unknown = bound.get(value) ?? value.bind(target)
      bound.set(value, method)
      return method
    },
    set: (target, key, value) => Reflect.set(at(target, key), key, value),
    defineProperty: (target, key, property) => Reflect.defineProperty(at(target, key), key, property),
    getOwnPropertyDescriptor: (target, key) => Reflect.getOwnPropertyDescriptor(at(target, key), key),
  })
}

function methods(client: Plain, way: Way, closed: () => Promise<void>): Record<string, Method> {
  const passing = Object.entries(METHODS).map(([name, method]): [string, Method] => [
    name,
    async (params, ...rest) => {
      refuseTask(rest.at(-1))
      return pass(method, params, rest, (sent) => client[name as keyof typeof METHODS](sent, ...rest))
    },
  ])
  const pass = (method: string, params: unknown, rest: readonly unknown[], send: (sent: unknown) => Promise<unknown>) =>
    PASSAGES[method]!(way, (params ?? undefined) as JsonObject, givenOf(rest), send)
  return {
    ...Object.fromEntries(passing),
    async request(request, ...rest) {
      const { method, params } = request as { readonly method: string; readonly params?: unknown }
      if (!Object.hasOwn(PASSAGES, method)) return client.request(request, ...rest)
      refuseTask(rest.at(-1))
      return pass(method, params, rest, (sent) => client.request({ method, params: sent }, ...rest))
    },
    async connect(...given) {
      const { server, gate, known } = way
      known.forget()
      await gate.around("server.start", { server }, givenOf(given), () => client.connect(...given))
    },
    async close() {
      try {
        await client.close()
      } finally {
        await closed()
      }
    },
  }
}

const refuseTask = (options: unknown): void => {
  if (isObject(options) && options.task !== undefined) throw unsupported("a call as a task")
}

/** The ways of the 1.x SDK to a result that comes in parts: they reach the client itself. */
const STREAMS: ReadonlySet<PropertyKey> = new Set(["callToolStream", "requestStream"])

const withoutStreams = (experimental: unknown): unknown =>
  isObject(experimental) && isObject(experimental.tasks)
    ? { ...experimental, tasks: new Proxy(experimental.tasks, { get: withoutStream }) }
    : experimental

function withoutStream(tasks: JsonObject, key: string | symbol): unknown {
  if (STREAMS.has(key)) {
    return () => {
      throw unsupported("a call whose result is streamed")
    }
  }
  const value: unknown = Reflect.get(tasks, key, tasks)
  return typeof value === "function" ? value.bind(tasks) : value
}
