import type { ChildEnd, ChildPlan } from "./child.ts"

/** What the parent tells the helper; `id` is the run's mark. */
export type ToHelper = { readonly start: ChildPlan } | { readonly stop: string }

/** What the helper tells the parent. */
export type FromHelper =
  | { readonly ready: true }
  | { readonly id: string; readonly pid: number }
  | { readonly id: string; readonly end: ChildEnd }
