import type { Policy } from "../policy/policy.ts"

/** A policy that says nothing. */
export const NOTHING: Policy = Object.freeze({
  version: 1,
  autonomyMax: [],
  ceilings: [],
  hooks: [],
  script: {},
  servers: {},
  model: {},
  values: {},
  lists: {},
  needsRegex: false,
  warnings: [],
})
