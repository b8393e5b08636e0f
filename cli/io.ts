import type { Colour } from "./text/colour.ts"

/** One of the two ways out. */
export interface Out {
  write(text: string): void
  /** the text and a line break */
  line(text: string): void
  readonly tty: boolean
  /** the width to fit text into */
  readonly columns: number
  readonly paint: (colour: Colour, text: string) => string
  /** whether the reader is gone: what is written then is lost, quietly */
  readonly closed: boolean
  /** calls `fn` once, when the reader is found to be gone */
  onClosed(fn: () => void): void
}

/** The world of a command: what it reads and writes besides files. */
export interface Io {
  readonly out: Out
  readonly err: Out
  /** all of stdin */
  stdin(): Uint8Array
  readonly stdinTty: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}
