import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { ArtifactFrame } from "../frames/frames.ts"

/** The types of the extensions that scripts write. */
export const MIMES: Readonly<Record<string, string>> = Object.freeze({
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".ndjson": "application/x-ndjson",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".zip": "application/zip",
})

const NAME_BYTES = 200

/** A file name that cannot leave its folder: the last segment, without separators, controls and leading dots. */
export function safeName(name: string): string {
  // the way through bytes makes a lone surrogate the replacement character
  const segment = Buffer.from(name).toString().split(/[/\\]/).at(-1) ?? ""
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = segment.replace(/[\u0000-\u001f\u007f:*?"<>|]/g, "_").replace(/^[.\s]+|[.\s]+$/g, "")
  if (clean === "") return "artifact"
  const ending = extname(clean)
  let stem = ending.length > 20 ? clean : clean.slice(0, clean.length - ending.length)
  const tail = clean.slice(stem.length)
  while (Buffer.byteLength(stem + tail) > NAME_BYTES) stem = [...stem].slice(0, -1).join("")
  return stem + tail
}

/** Text and bytes as they are, anything else as JSON. */
export function artifactBytes(data: unknown): { readonly bytes: Uint8Array; readonly mime: string } {
  if (typeof data === "string") return { bytes: Buffer.from(data), mime: "text/plain" }
  if (data instanceof Uint8Array) return { bytes: data, mime: "application/octet-stream" }
  if (data instanceof ArrayBuffer) return { bytes: new Uint8Array(data), mime: "application/octet-stream" }
  const json = JSON.stringify(data, null, 2)
  if (json === undefined) throw new TypeError("an artifact's data is a text, bytes or a JSON value")
  return { bytes: Buffer.from(`${json}\n`), mime: "application/json" }
}

/** The run's artifacts: one folder, made with the first. */
export class ArtifactFolder {
  readonly #prefix: string
  #folder: string | undefined
  #made = false
  #count = 0

  /** @param prefix the start of the ids, which are counted from 1 */
  constructor(folder: string | undefined, prefix: string) {
    this.#folder = folder
    this.#prefix = prefix
  }

  /** Writes one artifact; a name that is taken gets a number. `mime` defaults to the extension's, then the data's. */
  write(name: string, data: unknown, mime?: string): { readonly frame: ArtifactFrame; readonly path: string } {
    const { bytes, mime: fallback } = artifactBytes(data)
    const wanted = safeName(name)
    const path = this.#store(wanted, bytes)
    const frame: ArtifactFrame = {
      type: "artifact",
      id: `${this.#prefix}${++this.#count}`,
      name: wanted,
      mime: mime ?? MIMES[extname(wanted).toLowerCase()] ?? fallback,
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      uri: pathToFileURL(path).href,
    }
    return { frame, path }
  }

  #store(name: string, bytes: Uint8Array): string {
    if (this.#folder === undefined) this.#folder = mkdtempSync(join(tmpdir(), "detent-artifacts-"))
    else if (!this.#made) mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#made = true
    const ending = extname(name)
    for (let copy = 1; ; copy++) {
      const path = join(
        this.#folder,
        copy === 1 ? name : `${name.slice(0, name.length - ending.length)}-${copy}${ending}`,
      )
      try {
        // "wx" neither replaces a file nor follows a link that lies in wait under this name
        writeFileSync(path, bytes, { flag: "wx", mode: 0o600 })
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      }
    }
  }
}
