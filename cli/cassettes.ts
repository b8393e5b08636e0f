import { resolve } from "node:path"
import type { NodeEngineOptions } from "../actions/engine.ts"
import type { Call } from "./command.ts"

/** Where `--cassettes` says that prompts are answered from. */
export function cassettesOf({ given, io }: Call): Pick<NodeEngineOptions, "cassettes"> {
  const folder = given.value("cassettes")
  return folder === undefined ? {} : { cassettes: { folder: resolve(io.cwd, folder), mode: "replay" } }
}
