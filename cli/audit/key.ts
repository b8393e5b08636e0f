import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { withRecord } from "./record.ts"

/** Prints the public key that the record's signatures are checked with. */
export async function run(call: Call): Promise<number> {
  const pem = await withRecord(call, (record) => record.publicKey())
  if (pem === undefined) throw new CommandError("the record has no key", "its folder has held one since its first row")
  call.io.out.write(pem)
  return 0
}
