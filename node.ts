/**
 * The door with the world behind it: the pure door's names, and an engine with real actions, clock and settings.
 *
 * @module
 */
export {
  createEngine,
  type LoadPolicyOptions,
  loadPolicy,
  type NodeEngineOptions,
} from "./actions/engine.ts"
export type { KnownTool } from "./actions/fits.ts"
export type {
  CallError,
  ClientHooks,
  HookContext,
  HookMatcher,
  HookTelemetry,
  ListedTool,
  ToolCall,
  ToolResult,
} from "./dialects/conduit/types.ts"
export type { OperationContext, OperationFn } from "./engine/around.ts"
export type { Engine } from "./engine/engine.ts"
export { OperationError } from "./engine/errors.ts"
export type { FireOptions } from "./engine/given.ts"
export type { Happening, OpenQuestion } from "./engine/ports.ts"
export type {
  Advice,
  Apply,
  AskedQuestion,
  Cause,
  Ceiling,
  CeilingEntry,
  CeilingSource,
  Clamped,
  ClampInput,
  Dropped,
  ErrorValue,
  Failed,
  Finding,
  Frame,
  FrameType,
  Hook,
  HookFrame,
  HostContext,
  HostFunction,
  HostHook,
  JsonObject,
  Key,
  Level,
  Outcome,
  Output,
  Phase,
  Policy,
  Proposal,
  Question,
  Refusal,
  Run,
  Usage,
  Verdict,
  When,
} from "./index.ts"
export {
  CEILINGS,
  clamp,
  isLevel,
  isPhase,
  KEY_NAMES,
  KEYS,
  LEVEL_NAMES,
  LEVELS,
  levelOf,
  PHASE_NAMES,
  PHASES,
  PolicyError,
  parsePolicy,
  showFinding,
} from "./index.ts"
