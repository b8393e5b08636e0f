import { isObject, type JsonObject } from "../../effects/json.ts"
import { type Policy, showOrigin } from "../../policy/policy.ts"
import type { PolicyLayer } from "../layers.ts"
import type { SettingPath } from "../registry.ts"
import { type Contribution, type InForce, NOT_TRUSTED, type ReportEntry, type Reported } from "./report.ts"

/** What a policy says of a setting that is an object. */
function objectIn(path: SettingPath, { servers, model }: Policy): JsonObject {
  if (path === "servers") return Object.fromEntries(Object.entries(servers).map(([name, row]) => [name, open(row)]))
  const { prices, budget } = model
  const all: Readonly<Record<string, unknown>> = { model, "model.prices": prices, "model.budget": budget }
  return isObject(all[path]) ? all[path] : {}
}

/** A server without what may be a secret: a variable's name is none, and a value that stands there itself may be. */
function open(row: object): JsonObject {
  const shut = (texts: unknown): JsonObject =>
    Object.fromEntries(
      Object.entries(texts as object).map(([key, text]) => [key, /^env:\w+$/.test(String(text)) ? text : "(withheld)"]),
    )
  const shown = (key: string, value: unknown): unknown => {
    if (key === "headers" || key === "env") return shut(value)
    if (key === "url")
      return String(value)
        .replace(/\/\/[^/@]*@/, "//(withheld)@")
        .replace(/\?.*$/, "?(withheld)")
    if (key !== "command") return value
    const [program, ...args] = value as readonly string[]
    return args.length === 0 ? [program] : [program, "(withheld)"]
  }
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shown(key, value)]))
}

/** An object that layers put together name by name. */
export function namedReport(path: SettingPath, { layers, policy }: Reported): InForce {
  const value = objectIn(path, policy)
  const trusted = layers.filter((layer) => layer.trusted)
  const entries = Object.entries(value).map(([name, of]): ReportEntry => {
    const from = trusted.findLast((layer) => Object.hasOwn(objectIn(path, layer.policy), name))
    return {
      value: { [name]: of },
      layer: from?.layer ?? "default",
      origin: from ? originOf(from, path, name) : "default",
    }
  })
  const contributions = layers.flatMap((layer): Contribution[] => {
    const own = objectIn(path, layer.policy)
    const names = Object.keys(own)
    if (names.length === 0) return []
    const told = { layer: layer.layer, origin: originOf(layer, path, names[0]!), value: own }
    if (!layer.trusted) return [{ ...told, ...NOT_TRUSTED }]
    const over = names.map((name) => trusted.findLast(({ policy: said }) => Object.hasOwn(objectIn(path, said), name))!)
    const left = over.filter((one) => one === layer).length
    // Budgets are the one thing here of which the tightest counts, whoever says it.
    if (left === names.length || path === "model.budget") return [{ ...told, state: "in force" }]
    const by = over.find((one) => one !== layer)!
    return [{ ...told, state: left === 0 ? "overridden" : "in part", by: originOf(by, path, names[0]!) }]
  })
  const top = contributions.findLast(({ state }) => state === "in force" || state === "in part")
  return { value, layer: top?.layer ?? "default", origin: top?.origin ?? "default", entries, contributions }
}

function originOf({ layer, policy }: PolicyLayer, path: SettingPath, name: string): string {
  const said = policy.values[`${path}.${name}`]
  return said ? showOrigin(said.origin) : (policy.file ?? layer)
}
