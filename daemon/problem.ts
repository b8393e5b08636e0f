import type { JsonObject } from "../effects/json.ts"

/** What can be wrong with a request, and what of ours can be wrong: the status, and the title that never varies. */
export const PROBLEMS = Object.freeze({
  "bad-request": { status: 400, title: "the request does not fit" },
  unauthorized: { status: 401, title: "who asks is not known" },
  "foreign-origin": { status: 403, title: "the origin is not allowed" },
  "missing-scope": { status: 403, title: "the caller lacks a scope" },
  "own-question": { status: 403, title: "who caused a question may not answer it" },
  "not-found": { status: 404, title: "there is no such thing here" },
  "wrong-method": { status: 405, title: "the method does not fit" },
  conflict: { status: 409, title: "its state does not allow it" },
  "read-only": { status: 409, title: "it can only be read here" },
  "too-large": { status: 413, title: "the body is too large" },
  fault: { status: 500, title: "a fault of our own" },
  "not-written": { status: 503, title: "it could not be written down" },
  stopping: { status: 503, title: "the daemon is stopping" },
} as const)

export type ProblemCode = keyof typeof PROBLEMS

export const PROBLEM_TYPE = "application/problem+json"

/** What goes wrong with a request: told as problem details (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem"
  readonly code: ProblemCode
  readonly hint?: string
  /** more members of the answer */
  readonly more: JsonObject

  constructor(code: ProblemCode, detail: string, { hint, ...more }: JsonObject & { readonly hint?: string } = {}) {
    super(detail)
    this.code = code
    if (hint !== undefined) this.hint = hint
    this.more = more
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }

  body(): JsonObject {
    const { status, title } = PROBLEMS[this.code]
    const hint = this.hint === undefined ? {} : { hint: this.hint }
    return { type: `urn:detent:problem:${this.code}`, title, status, detail: this.message, ...hint, ...this.more }
  }

  response(headers: Readonly<Record<string, string>> = {}): Response {
    return new Response(JSON.stringify(this.body()), {
      status: this.status,
      headers: { "content-type": PROBLEM_TYPE, ...headers },
    })
  }
}
