import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { checkpointsOf, verifyExport } from "../../store/audit/export.ts"
import { readVerifier } from "../../store/audit/keys.ts"
import type { Checkpoint } from "../../store/audit/row.ts"
import type { Verification } from "../../store/audit/verify.ts"
import type { Call } from "../command.ts"
import { CommandError, fileError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import type { Paint } from "../text/colour.ts"
import { oneLine } from "../text/plain.ts"
import { fit } from "../text/wrap.ts"
import { linesOf } from "./lines.ts"
import { withRecord } from "./record.ts"

/** Holds the record, or an exported file, against its hashes and signatures: exit 1 where anything is wrong. */
export async function run(call: Call): Promise<number> {
  const { args } = call
  const [file] = args
  const keys = keysOf(call)
  const known = knownOf(call)
  const result =
    file === undefined
      ? await withRecord(call, (record) => record.verify({ ...(keys ? { keys } : {}), known }))
      : verifyExport(
          linesOf(file, call),
          (keys ?? (await ownKey(call))).map((pem) => readVerifier(pem, "the key")),
          known,
        )
  print(call, result, file)
  return result.ok ? 0 : 1
}

function keysOf({ given, io }: Call): readonly string[] | undefined {
  const names = given.values("key")
  if (names.length === 0) return undefined
  return names.map((name) => {
    try {
      const pem = readFileSync(resolve(io.cwd, name), "utf8")
      readVerifier(pem, name)
      return pem
    } catch (cause) {
      if ((cause as { hint?: unknown }).hint !== undefined) {
        throw new CommandError(`\`${name}\` holds no public key`, "`detent audit key` prints the one of a record")
      }
      throw fileError(name, cause)
    }
  })
}

/** The key of the record that is here. */
async function ownKey(call: Call): Promise<readonly string[]> {
  const pem = await withRecord(call, (record) => record.publicKey()).catch(() => undefined)
  if (pem !== undefined) return [pem]
  throw new CommandError(
    "there is no key to check the signatures with",
    "name it: `--key FILE`, from `detent audit key`",
  )
}

/** What was signed in earlier exports: it must still be so. */
function knownOf(call: Call): readonly Checkpoint[] {
  return call.given.values("against").flatMap((name) => {
    const found = checkpointsOf(linesOf(name, call))
    if (found.length > 0) return found
    throw new CommandError(`\`${name}\` is no signed export`, "write one with `detent audit export`")
  })
}

function print(call: Call, result: Verification, file: string | undefined): void {
  const { io } = call
  const format = formatOf(call)
  if (format === "json") io.out.line(document(result))
  else if (format === "ndjson") io.out.line(JSON.stringify(result))
  else for (const line of told(result, file, io.out.paint)) io.out.line(fit(line, io.out))
}

function told(
  { ok, rows, first, last, signatures, keys, findings }: Verification,
  file: string | undefined,
  paint: Paint,
) {
  const what = file === undefined ? "the record" : `\`${file}\``
  const which = first === undefined ? "no row" : `${rows} ${rows === 1 ? "row" : "rows"}, ${first} to ${last}`
  const whose = keys.length === 0 ? "" : ` of the ${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")}`
  const signed = `${signatures} ${signatures === 1 ? "signature holds" : "signatures hold"}${whose}`
  return [
    ...findings.map((finding) => `${paint("bad", finding.what)}: ${oneLine(finding.message)}`),
    `${what} ${ok ? paint("good", "holds") : paint("bad", "does not hold")}: ${which}; ${signed}`,
  ]
}
