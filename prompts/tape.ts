import { CassetteError, Cassettes, type Take } from "./cassettes.ts"
import { type ModelRequest, requestKey } from "./request.ts"

/** How recordings are used. */
export interface CassetteOptions {
  /** the folder of the recordings, or an open one */
  readonly folder: string | Cassettes
  /**
   * `replay`: only recorded answers count, and a missing one is a failure; `record`: models are asked, and what they answer is
   * kept; `live`: models are asked, and nothing is kept. No answer comes from the cache.
   */
  readonly mode: "replay" | "record" | "live"
  /** the only model whose answers are played; default: the one that would be asked, else the first that was recorded */
  readonly model?: string
  /** which of several recorded answers of one model is played, from 0 */
  readonly sample?: number
  /** told of each request that has no recording */
  readonly onMissing?: (hook: string, why: string) => void
  /** told of each recording that is played */
  readonly onPlayed?: (take: Take) => void
}

/** Plays and records. */
export class Tape {
  readonly #options: CassetteOptions
  readonly #cassettes: Cassettes
  readonly #fresh = new Set<string>()

  constructor(options: CassetteOptions) {
    const { folder } = options
    this.#options = options
    this.#cassettes = typeof folder === "string" ? new Cassettes(folder) : folder
  }

  /**
   * The recorded answer, or why there is none; undefined where the model itself is to be asked.
   *
   * @param asked the model that would be asked
   */
  play(
    hook: string,
    request: ModelRequest,
    asked?: string,
  ): { readonly take: Take } | { readonly missing: string } | undefined {
    const { mode, model, sample = 0, onMissing } = this.#options
    if (mode !== "replay") return undefined
    try {
      const takes = this.#cassettes.find(request)?.filter((take) => model === undefined || take.model === model)
      const whose = takes?.some((take) => take.model === asked) ? asked : takes?.[0]?.model
      const take = takes?.filter((one) => one.model === whose)[sample]
      if (take) {
        this.#options.onPlayed?.(take)
        return { take }
      }
      const what = takes?.length ? `answer ${sample + 1} of it` : model === undefined ? "this request" : `\`${model}\``
      return this.#missing(hook, `no recording of ${what}`, onMissing)
    } catch (cause) {
      if (!(cause instanceof CassetteError)) throw cause
      return this.#missing(hook, cause.message, onMissing)
    }
  }

  #missing(hook: string, missing: string, tell: CassetteOptions["onMissing"]): { readonly missing: string } {
    tell?.(hook, missing)
    return { missing }
  }

  /** Keeps an answer. The first of a run takes the place of what was recorded before; further ones stand beside it. */
  record(hook: string, request: ModelRequest, take: Take, secrets: readonly string[]): void {
    if (this.#options.mode !== "record") return
    const afresh = `${take.model} ${requestKey(request)}`
    const first = (this.#options.sample ?? 0) === 0 && !this.#fresh.has(afresh)
    this.#cassettes.record({ hook, request, take, secrets }, first)
    this.#fresh.add(afresh)
  }
}
