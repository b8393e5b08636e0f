import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"

const started = new Set()

/**
 * Starts a program of Node that lives until `stopAll`; what it says on stderr is shown under its name.
 *
 * @returns `line`, the first line of its stdout; rejects where it ends before
 */
export function start(name, args, env = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] })
  started.add(child)
  child.on("exit", () => started.delete(child))
  createInterface({ input: child.stderr }).on("line", (line) => console.error(`${name}: ${line}`))
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)))
  const line = Promise.race([once(lines, "line").then(([first]) => first), ended])
  // Whoever waits for neither is not interested in the end.
  ended.catch(() => {})
  line.catch(() => {})
  return { line }
}

export async function stopAll() {
  await Promise.all(
    [...started].map((child) => {
      child.kill("SIGTERM")
      return once(child, "exit")
    }),
  )
}

export async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const { port } = probe.address()
  probe.close()
  return port
}

/** Waits until somebody listens at the port, twenty seconds at most. */
export async function untilListening(port) {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, "127.0.0.1")
    const open = await once(socket, "connect").then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (open) return
    await wait(100)
  }
  throw new Error(`nobody listens at port ${port}`)
}
