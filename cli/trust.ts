import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { lowest } from "../effects/levels.ts"
import { manifestFiles, parsePolicyBytes } from "../policy/file.ts"
import { showMoment } from "../policy/phases.ts"
import type { Policy } from "../policy/policy.ts"
import { discover, PROJECT_FILES } from "../settings/discover.ts"
import { trust } from "../settings/trust.ts"
import type { Call } from "./command.ts"
import { CommandError, fileError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import { oneLine } from "./text/plain.ts"

/** Records that the project's policy is trusted as it is now, and says what that brings into force. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const { path, content } = fileOf(call)
  const manifests: { readonly path: string; readonly text: string }[] = []
  const read: typeof manifestFiles.read = (base, file) => {
    const text = manifestFiles.read(base, file)
    manifests.push({ path: resolve(base ?? ".", file), text })
    return text
  }
  const about = { file: path, base: dirname(path), layer: "project", manifestFiles: { read } } as const
  const policy = parsePolicyBytes(content, about)
  record(path, content, io.env)
  for (const manifest of manifests) record(manifest.path, manifest.text, io.env)
  const allows = [...newlyInForce(policy), ...manifests.map((manifest) => `manifest ${manifest.path}, as it is now`)]
  const format = formatOf(call)
  if (format === "json") io.out.line(document({ trusted: path, allows }))
  else if (format === "ndjson") io.out.line(JSON.stringify({ trusted: path, allows }))
  else {
    io.out.line(`${io.out.paint("good", "trusted")} ${oneLine(path)}, as it is now; any change takes the trust away`)
    for (const line of allows) io.out.line(`  ${oneLine(line)}`)
  }
  return 0
}

function record(path: string, content: Uint8Array | string, env: Call["io"]["env"]): void {
  try {
    trust(path, content, env)
  } catch (cause) {
    throw new CommandError(`the trust could not be recorded: ${(cause as Error).message}`)
  }
}

function fileOf({ args, io }: Call): { readonly path: string; readonly content: Uint8Array } {
  const [name] = args
  if (name === undefined) {
    const found = discover({ cwd: io.cwd, env: io.env }).find(({ layer }) => layer === "project")
    if (found) return found
    throw new CommandError(
      "there is no project policy here",
      `${PROJECT_FILES.join(" or ")} is looked for, nearest upward`,
    )
  }
  const path = resolve(io.cwd, name)
  try {
    return { path, content: readFileSync(path) }
  } catch (cause) {
    throw fileError(name, cause)
  }
}

/** What a policy that is only found may not do, and a trusted one may. */
function newlyInForce(policy: Policy): string[] {
  const { hooks, servers, model, script, autonomyMax, hooksAutonomy, ceilings, values, lists } = policy
  const ofHooks = hooks.flatMap((hook) => {
    if (hook === null) return []
    const { id, on, phase, action, effect, floor, grant } = hook
    const level =
      phase === "observe"
        ? ""
        : `, up to ${lowest(effect, grant?.max ?? effect)}${floor === "off" ? "" : `, floor ${floor}`}`
    return [`hook ${id}: ${showMoment(on, phase)}, ${action.kind}${programOf(action)}${level}`]
  })
  return [
    ...ofHooks,
    ...Object.keys(servers).map((name) => `server ${name}`),
    ...(Object.keys(model).length > 0 ? ["model"] : []),
    ...Object.entries(script).map(
      ([phase, lines]) => `script.${phase}: ${lines.flatMap((line) => line?.value ?? []).join("; ")}`,
    ),
    ...autonomyMax.map(({ value }) => `autonomy.max: ${value}`),
    ...(hooksAutonomy ? [`hooks.autonomy: ${hooksAutonomy.value}`] : []),
    ...Object.entries(values).flatMap(([path, { value }]) => (path.startsWith("model.") ? [] : [`${path}: ${value}`])),
    ...Object.entries(lists).map(([path, list]) => `${path}: ${list.map((entry) => entry?.value ?? "…").join(", ")}`),
    ...ceilings.map(({ id, max }, index) => `ceiling ${id ?? `ceilings[${index}]`}: at most ${max}`),
  ]
}

function programOf(action: NonNullable<Policy["hooks"][number]>["action"]): string {
  if (action.kind === "run") return ` \`${action.argv.join(" ")}\``
  if (action.kind === "module") return ` \`${action.path}\``
  if (action.kind === "plugin") return ` \`${action.target}\``
  return ""
}
