import type { Io } from "./io.ts"

/** The first descriptor that systemd hands over. */
const FIRST = 3

/**
 * The sockets that a supervisor has opened for this process (`LISTEN_FDS`, sd_listen_fds(3)); those that were meant for
 * another process, which this one's environment still names, are none of ours.
 */
export function inheritedSockets({ LISTEN_PID, LISTEN_FDS }: Io["env"], pid: number): readonly number[] {
  const count = Number(LISTEN_FDS)
  if (Number(LISTEN_PID) !== pid || !Number.isSafeInteger(count) || count < 1) return []
  return Array.from({ length: count }, (_, at) => FIRST + at)
}
