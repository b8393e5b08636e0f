/** Why no answer came. Nothing that the other side said stands in it. */
export class Trouble extends Error {
  override readonly name = "Trouble"
  /** the HTTP status; absent: the server was not reached, or what it sent was no answer */
  readonly status: number | undefined
  /** milliseconds for which the server asks to be left alone */
  readonly retryAfterMs: number | undefined
  /** whether asking again can help */
  readonly passing: boolean

  constructor(message: string, more: { status?: number; retryAfterMs?: number | undefined; passing?: boolean } = {}) {
    super(message)
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
    this.passing = more.passing ?? false
  }
}

/** Statuses after which the same request may well be answered: the SDKs' own list. */
const isPassing = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500

/** What both SDKs throw: they are made by the same generator. */
interface SdkError {
  readonly status?: unknown
  readonly headers?: { get?(name: string): string | null }
}

/**
 * What a request is answered with.
 *
 * @throws Trouble in place of what an SDK throws.
 */
export async function responseOf(sent: { asResponse(): Promise<Response> }): Promise<Response> {
  try {
    return await sent.asResponse()
  } catch (cause) {
    throw troubleOf(cause)
  }
}

function troubleOf(cause: unknown): Trouble {
  const { status, headers } = (cause ?? {}) as SdkError
  if (typeof status !== "number") return new Trouble("the provider could not be reached", { passing: true })
  const retryAfterMs = retryAfter((name) => headers?.get?.(name) ?? null)
  return new Trouble(`the provider answered with status ${status}`, {
    status,
    retryAfterMs,
    passing: isPassing(status),
  })
}

/** Seconds, milliseconds, or a date. */
function retryAfter(header: (name: string) => string | null): number | undefined {
  const milliseconds = Number.parseFloat(header("retry-after-ms") ?? "")
  if (milliseconds >= 0) return milliseconds
  const said = header("retry-after")
  if (said === null) return undefined
  const seconds = Number(said)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(said)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
