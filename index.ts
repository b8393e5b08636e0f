/**
 * The pure door: what decides, without what touches. No I/O, no Node; it runs in a browser.
 *
 * @module
 */
export {
  type Cause,
  CEILINGS,
  type Ceiling,
  type Clamped,
  type ClampInput,
  clamp,
  type Dropped,
} from "./clamp/clamp.ts"
export type { JsonObject } from "./effects/json.ts"
export { KEY_NAMES, KEYS, type Key, levelOf } from "./effects/keys.ts"
export { isLevel, LEVEL_NAMES, LEVELS, type Level } from "./effects/levels.ts"
export type { Advice, Apply, Output, Proposal, Question, Refusal, Run } from "./effects/outputs.ts"
export { createEngine, type Engine, type EngineOptions } from "./engine/engine.ts"
export type { FireOptions } from "./engine/given.ts"
export type { ActionContext, ActionResult, ActionRunner, ActionRunners, Ports } from "./engine/ports.ts"
export type { Failed } from "./frames/failures.ts"
export type {
  AskedQuestion,
  CeilingSource,
  ErrorValue,
  Frame,
  FrameType,
  HookFrame,
  Outcome,
  Usage,
  Verdict,
} from "./frames/frames.ts"
export { type Finding, PolicyError, showFinding } from "./policy/findings.ts"
export { type HostHook, hostHooks } from "./policy/host.ts"
export { type ParseOptions, parsePolicy } from "./policy/parse.ts"
export { isPhase, PHASE_NAMES, PHASES, type Phase } from "./policy/phases.ts"
export type { CeilingEntry, Hook, HostContext, HostFunction, Policy, When } from "./policy/policy.ts"
