import { isUtf8 } from "node:buffer"
import { type Envelope, EnvelopeError, readEnvelope } from "../../dialects/vix/envelope.ts"
import { CommandError } from "../errors.ts"

/** @throws CommandError where what came is no envelope of vix. */
export function envelopeIn(bytes: Uint8Array): Envelope {
  if (!isUtf8(bytes)) throw new CommandError("the envelope is no UTF-8 text")
  try {
    return readEnvelope(Buffer.from(bytes).toString("utf8"))
  } catch (cause) {
    throw cause instanceof EnvelopeError ? new CommandError(cause.message) : cause
  }
}
