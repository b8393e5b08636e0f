import { open } from "node:fs/promises"
import type { Frame } from "../frames/frames.ts"
import { ArtifactFolder } from "./artifacts.ts"
import { cutFrame, fitsLine } from "./lines.ts"
import { shorten } from "./shorten.ts"

/** Bytes of one chunk: a multiple of three, so that the base64 texts join without padding between them. */
const CHUNK_BYTES = 192 * 1024

export interface OutletOptions {
  readonly frames: boolean
  readonly tell: (frame: Frame) => void
  readonly folder: string | undefined
  /** where each artifact lies */
  readonly artifacts: Map<string, string>
}

/**
 * The way of frames to the consumer. In frames mode each fits its line: texts are cut, and a value of `emit` or
 * `result` that is too large is written as an artifact, told just before, with `{artifact, uri, size, sha256}` in
 * the value's place; of a hook's frame and an error, what is too large is cut short. The run's own answer holds all.
 */
export class Outlet {
  readonly #options: OutletOptions
  readonly #folder: ArtifactFolder

  constructor(options: OutletOptions) {
    this.#options = options
    this.#folder = new ArtifactFolder(options.folder, "v")
  }

  pass(frame: Frame): void {
    const { frames, tell } = this.#options
    if (!frames) tell(frame)
    else for (const piece of cutFrame(frame)) tell(this.#small(piece))
  }

  #small(frame: Frame): Frame {
    if (frame.type !== "emit" && frame.type !== "result") return shorten(frame)
    if (fitsLine(frame.value)) return frame
    const { frame: told, path } = this.#folder.write(`${frame.type}.json`, JSON.stringify(frame.value))
    this.#options.artifacts.set(told.id, path)
    this.#options.tell(told)
    return { ...frame, value: { artifact: told.id, uri: told.uri, size: told.size, sha256: told.sha256 } }
  }
}

/** Tells the bytes of each artifact, after the run's `end`: chunks counted from 0, then its end. */
export async function deliver(artifacts: ReadonlyMap<string, string>, tell: (frame: Frame) => void): Promise<void> {
  for (const [id, path] of artifacts) {
    const file = await open(path, "r")
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES)
      for (let seq = 0; ; seq++) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
        if (bytesRead === 0) break
        tell({ type: "artifact.chunk", id, seq, data: buffer.toString("base64", 0, bytesRead) })
      }
    } finally {
      await file.close()
    }
    tell({ type: "artifact.end", id })
  }
}
