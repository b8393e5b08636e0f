import type { Happening } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { Hook } from "../policy/policy.ts"

/**
 * The frames of observers in the order of what they observed, and within that of their declaration. They run beside
 * each other, so that the order in which they end says nothing.
 */
export function inOrder(frames: readonly Frame[], happened: readonly Happening[], hooks: readonly Hook[]): Frame[] {
  const left = [...frames]
  const ordered: Frame[] = []
  for (const { type } of happened) {
    for (const { id } of hooks) {
      const at = left.findIndex((frame) => frame.type === "hook" && frame.on === type && frame.hook === id)
      if (at >= 0) ordered.push(...left.splice(at, 1))
    }
  }
  return [...ordered, ...left]
}
