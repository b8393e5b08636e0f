import { dirname, resolve } from "node:path"
import { manifestFiles, parsePolicyBytes } from "../policy/file.ts"
import { type Finding, PolicyError } from "../policy/findings.ts"
import type { ManifestFiles } from "../policy/manifest.ts"
import type { FoundFile } from "./discover.ts"
import type { Environment } from "./folders.ts"
import type { GivenSetting } from "./given.ts"
import { type Layered, layerPolicies, type PolicyLayer } from "./layers.ts"
import { policyOfSettings } from "./put.ts"
import type { ReadFile } from "./reads.ts"
import { isTrusted } from "./trust.ts"

/** Everything that a policy is made of. */
export interface Sources {
  readonly files: readonly FoundFile[]
  readonly environment: readonly GivenSetting[]
  readonly flags: readonly GivenSetting[]
}

/** A manifest that says nothing, in YAML as in JSON. */
const NO_HOOKS = '{"hooks":[]}'

/** The policy of all sources, and the files that they name and that it depends on. */
export interface Compiled {
  readonly layered: Layered
  readonly reads: readonly ReadFile[]
}

/**
 * Parses and layers. This is the slow path: it loads the schema library, the YAML reader and the regex engine, and is
 * imported only where the cache has no answer.
 *
 * @throws PolicyError with the findings of all sources at once.
 */
export function compileSources(sources: Sources, env: Environment): Compiled {
  const { layered, reads } = compileLayers(sources, env)
  return { layered, reads }
}

/** As `compileSources`, with the layers that it is made of, lowest first. */
export function compileLayers({ files, environment, flags }: Sources, env: Environment) {
  const findings: Finding[] = []
  const layers: PolicyLayer[] = []
  const reads: ReadFile[] = []
  const notices: string[] = []
  /** The trust in a policy that was only found is in what it says, and a manifest says hooks. */
  const reading = (found: boolean | undefined): ManifestFiles => ({
    read(base, file) {
      const path = resolve(base ?? ".", file)
      const text = manifestFiles.read(base, file)
      const trusted = found ? isTrusted(path, text, env) : undefined
      reads.push({ path, text, ...(trusted === undefined ? {} : { trusted }) })
      if (trusted !== false) return text
      notices.push(
        `the manifest \`${path}\` is not trusted, so its hooks are not in force (\`detent trust\` records it)`,
      )
      return NO_HOOKS
    },
  })
  const add = (layer: PolicyLayer["layer"], trusted: boolean, make: () => PolicyLayer["policy"]): void => {
    try {
      layers.push({ layer, trusted, policy: make() })
    } catch (cause) {
      if (!(cause instanceof PolicyError)) throw cause
      findings.push(...cause.findings)
    }
  }
  for (const { layer, path, shown, content, trusted, found } of files) {
    // A floor in a file that nobody trusts is no error here: layering takes it off and says so.
    // What it says of servers is inert, and so nothing that these name is read.
    const named = { manifestFiles: trusted ? reading(found) : undefined }
    add(layer, trusted, () => parsePolicyBytes(content, { file: shown, base: dirname(path), layer, ...named }))
  }
  add("environment", true, () => policyOfSettings("environment", environment))
  add("flags", true, () => policyOfSettings("flags", flags))
  if (findings.length > 0) throw new PolicyError(findings)
  const layered = layerPolicies(layers)
  return { layered: { ...layered, notices: [...layered.notices, ...notices] }, layers, reads }
}
