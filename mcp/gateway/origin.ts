/** The names of this machine that a request may be for, or a page be from, without anybody having said so. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** What a request's headers say of where it is from, before anything else of it is read. */
export interface Doorkeeper {
  /** why a request is not let in; undefined where it is */
  refuses(headers: { origin: string | null; host: string | null }): string | undefined
}

/**
 * Keeps pages of other sites out: a browser says where a page is from, and a program says nothing.
 *
 * @param allowed origins besides those of this machine, each as `https://host:port`
 */
export function doorkeeper(allowed: readonly string[] = []): Doorkeeper {
  const known = new Set(allowed)
  return {
    refuses({ origin, host }) {
      if (origin !== null && !known.has(origin) && !isLoopback(origin))
        return `the origin ${JSON.stringify(origin)} is not allowed`
      // A name that a foreign site gave to this machine's address would make its pages ours.
      if (!LOOPBACK.has(hostname(`http://${host ?? ""}`) ?? ""))
        return `the host ${JSON.stringify(host)} is not this machine`
      return undefined
    },
  }
}

/** Exactly one origin of this machine: `null`, two of them, and what only looks like one are none. */
function isLoopback(origin: string): boolean {
  const name = hostname(origin)
  return name !== undefined && LOOPBACK.has(name) && /^https?:\/\/[^/\s,]+$/.test(origin)
}

function hostname(url: string): string | undefined {
  try {
    return new URL(url).hostname
  } catch {
    return undefined
  }
}
