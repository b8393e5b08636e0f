import type { Layer, Policy } from "../../policy/policy.ts"
import type { PolicyLayer } from "../layers.ts"
import type { Setting, SettingPath } from "../registry.ts"

/** What came of what a layer says. */
export type ContributionState =
  | "in force"
  | "in part"
  | "overridden"
  | "lowered"
  | "left behind"
  | "waiting"
  | "not trusted"

/** What one layer says of a setting. */
export interface Contribution {
  readonly layer: Layer
  readonly origin: string
  readonly value: unknown
  readonly state: ContributionState
  /** what stands against it */
  readonly by?: string
}

/** One entry of a list that is in force. */
export interface ReportEntry {
  readonly value: unknown
  readonly layer: Layer
  readonly origin: string
}

/** What is in force of a setting. */
export interface InForce {
  /** absent: nothing is said, and nothing holds by default */
  readonly value?: unknown
  readonly layer: Layer
  readonly origin: string
  /** what was said, where it was lowered */
  readonly requested?: unknown
  /** `autonomy.max (env:DETENT_AUTONOMY_MAX)` */
  readonly clampedBy?: string
  /** of a list, each entry; of servers and the like, each by its name */
  readonly entries?: readonly ReportEntry[]
  /** lowest layer first */
  readonly contributions: readonly Contribution[]
}

/** One setting: its row in short, what is in force, and what every layer has said of it. */
export type SettingReport = Pick<Setting, "kind" | "scope" | "hot"> & InForce & { readonly path: SettingPath }

/** The layers of a policy, and what came of them. */
export interface Reported {
  readonly layers: readonly PolicyLayer[]
  readonly policy: Policy
}

export const NOT_TRUSTED = Object.freeze({ state: "not trusted", by: "`detent trust` records its content" } as const)
