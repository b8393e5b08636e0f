import { createRequire } from "node:module"
import type { Refusing } from "./workload.ts"

/** The peers are no part of the product, and there to be required only after `run.sh` has installed them. */
const require = createRequire(import.meta.url)

/** A tool call as a peer is asked about it. */
export interface Asked {
  readonly server: string
  readonly tool: string
  readonly path: string
}

/** Answers whether a call may go on. */
export type Decides = (asked: Asked) => boolean

/** The policy as each peer says it: everything may go on, but for what a rule refuses by a part of its path. */
export const PEERS: Readonly<Record<string, (rules: readonly Refusing[]) => Decides | Promise<Decides>>> = {
  "@casl/ability": casl,
  "cedar-wasm, parsed before": cedar,
  "casbin enforceSync": casbin,
}

function casl(rules: readonly Refusing[]): Decides {
  const { createMongoAbility } = require("@casl/ability")
  const refusals = rules.map(({ server, tool, needle }) => ({
    inverted: true,
    action: "call",
    subject: `${server}/${tool}`,
    conditions: { path: { $regex: needle } },
  }))
  const ability = createMongoAbility([{ action: "call", subject: "all" }, ...refusals], {
    detectSubjectType: ({ server, tool }: Asked) => `${server}/${tool}`,
  })
  return (asked) => ability.can("call", asked)
}

function cedar(rules: readonly Refusing[]): Decides {
  const { preparsePolicySet, statefulIsAuthorized } = require("@cedar-policy/cedar-wasm/nodejs")
  const refusals = rules.map(
    ({ server, tool, needle }) =>
      `forbid(principal, action, resource == Tool::"${server}/${tool}") when { context.path like "*${needle}*" };`,
  )
  const staticPolicies = ["permit(principal, action, resource);", ...refusals].join("\n")
  const id = `${rules.length} rules`
  const parsed = preparsePolicySet(id, { staticPolicies })
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed))
  return ({ server, tool, path }) => {
    const { response } = statefulIsAuthorized({
      principal: { type: "Agent", id: "local" },
      action: { type: "Action", id: "call" },
      resource: { type: "Tool", id: `${server}/${tool}` },
      context: { path },
      entities: [],
      preparsedPolicySetId: id,
      validateRequest: false,
    })
    return response.decision === "allow"
  }
}

/** Casbin's own functions match globs and regexes; a part of a path is the host's to look for. */
async function casbin(rules: readonly Refusing[]): Promise<Decides> {
  const { newEnforcer, newModelFromString } = require("casbin")
  const model = newModelFromString(`
    [request_definition]
    r = server, tool, path
    [policy_definition]
    p = server, tool, needle, eft
    [policy_effect]
    e = !some(where (p.eft == deny))
    [matchers]
    m = r.server == p.server && r.tool == p.tool && holds(r.path, p.needle)
  `)
  const enforcer = await newEnforcer(model)
  enforcer.addFunction("holds", (path: string, needle: string) => path.includes(needle))
  await enforcer.addPolicies(rules.map(({ server, tool, needle }) => [server, tool, needle, "deny"]))
  return ({ server, tool, path }) => enforcer.enforceSync(server, tool, path)
}
