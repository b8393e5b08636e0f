import { dirname } from "node:path"
import { parsePolicyBytes } from "../policy/file.ts"
import { type Finding, PolicyError } from "../policy/findings.ts"
import type { FoundFile } from "./discover.ts"
import type { GivenSetting } from "./given.ts"
import { type Layered, layerPolicies, type PolicyLayer } from "./layers.ts"
import { policyOfSettings } from "./put.ts"

/** Everything that a policy is made of. */
export interface Sources {
  readonly files: readonly FoundFile[]
  readonly environment: readonly GivenSetting[]
  readonly flags: readonly GivenSetting[]
}

/**
 * Parses and layers. This is the slow path: it loads the schema library, the YAML reader and the regex engine, and is
 * imported only where the cache has no answer.
 *
 * @throws PolicyError with the findings of all sources at once.
 */
export function compileSources({ files, environment, flags }: Sources): Layered {
  const findings: Finding[] = []
  const layers: PolicyLayer[] = []
  const add = (layer: PolicyLayer["layer"], trusted: boolean, make: () => PolicyLayer["policy"]): void => {
    try {
      layers.push({ layer, trusted, policy: make() })
    } catch (cause) {
      if (!(cause instanceof PolicyError)) throw cause
      findings.push(...cause.findings)
    }
  }
  for (const { layer, path, shown, content, trusted } of files) {
    // A floor in a file that nobody trusts is no error here: layering takes it off and says so.
    add(layer, trusted, () => parsePolicyBytes(content, { file: shown, base: dirname(path), layer }))
  }
  add("environment", true, () => policyOfSettings("environment", environment))
  add("flags", true, () => policyOfSettings("flags", flags))
  if (findings.length > 0) throw new PolicyError(findings)
  return layerPolicies(layers)
}
