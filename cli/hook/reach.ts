import { close, open, read, stat } from "node:fs"

/** Reads that no answer has come from: a process with one cannot end by itself. */
let pending = 0

/** Whether a read hangs, so that only a signal ends this process. */
export const hangs = (): boolean => pending > 0

/**
 * Waits until each of these files can be read, or is found not to be there: on a network that is gone a read waits for ever, and
 * takes the whole process with it unless it is made where it can be left behind.
 */
export const reached = (paths: readonly string[]): Promise<unknown> => Promise.all(paths.map(probe))

const probe = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      pending--
      resolve()
    }
    pending++
    stat(path, (missing, found) => {
      // What a pipe gives is given once, and it is read with a time limit anyway.
      if (missing || !found.isFile()) return done()
      open(path, "r", (shut, fd) => {
        if (shut) return done()
        read(fd, Buffer.alloc(1), 0, 1, 0, () => close(fd, done))
      })
    })
  })
