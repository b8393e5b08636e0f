/** Names of this machine that a browser may have in an origin. */
const LOOPBACK: readonly string[] = Object.freeze(["localhost", "127.0.0.1", "[::1]"])

/**
 * Whether a page of this origin may speak to the daemon: pages of this machine, and the origins that the operator names.
 * A program sends no origin and is not meant; a page's sandbox (`null`), two origins and what is no origin are refused.
 */
export function isAllowedOrigin(origin: string | undefined, named: readonly string[]): boolean {
  if (origin === undefined) return true
  const url = originOf(origin)
  if (url === undefined) return false
  return named.includes(url.origin) || (url.protocol === "http:" && LOOPBACK.includes(url.hostname))
}

/** An origin as browsers write it: a scheme, a host, a port, and nothing else. */
function originOf(text: string): URL | undefined {
  try {
    const url = new URL(text)
    return url.origin === text ? url : undefined
  } catch {
    return undefined
  }
}
