import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject } from "../../../effects/json.ts"
import type { ServerEntry } from "../../../policy/policy.ts"
import { Driver, type Kind, type Told } from "./driver.ts"
import type { Request } from "./table.ts"
import type { Way } from "./ways.ts"

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A folder of one run's own, in which the servers work. */
export function ground(): string {
  const folder = mkdtempSync(join(tmpdir(), "detent-ground-"))
  mkdirSync(join(folder, "sub"))
  writeFileSync(join(folder, "lines.txt"), "one\ntwo\nthree\n")
  writeFileSync(join(folder, "dot.png"), Buffer.from(DOT, "base64"))
  return folder
}

export interface Run {
  readonly kind: Kind
  readonly way: Way
  /** the server, as it works in a folder */
  readonly entryIn: (folder: string) => ServerEntry
  readonly requests: readonly Request[]
  /** whether the client has roots */
  readonly roots?: boolean
}

/** The requests of a table, sent one after another in one way: each with what came of it, as one line. */
export async function replay({ kind, way, entryIn, requests, roots = false }: Run): Promise<readonly string[]> {
  const folder = ground()
  const driver = await Driver.connect(kind, await way.transport(kind, entryIn(folder)), roots)
  try {
    const lines: string[] = []
    for (const [method, params = {}] of requests) {
      const sent = JSON.parse(JSON.stringify(params).replaceAll("FOLDER", folder))
      const told = await driver.request(method, named(way, method, sent))
      lines.push(
        `${method} ${JSON.stringify(params)}: ${plain(JSON.stringify(way.told(inTurn(told))).replaceAll(folder, "FOLDER"))}`,
      )
    }
    return lines
  } finally {
    await driver.close()
  }
}

/** What comes when the server likes, and not in answer to a request, is no part of what is compared. */
const inTurn = ({ answer, heard }: Told): Told => ({
  answer,
  heard: heard.filter(
    ({ method, params }) =>
      method !== "roots/list" &&
      !String(method).endsWith("/list_changed") &&
      !String((params as JsonObject).data).startsWith("Roots updated"),
  ),
})

/** What a server says anew each time: the hour, and an id of its own. */
const plain = (text: string): string =>
  text
    .replaceAll(/\d+:\d\d:\d\d [AP]M/g, "HOUR")
    .replaceAll(/"blob":"UmVzb3VyY2Ug[^"]*"/g, '"blob":"RESOURCE"')
    .replaceAll(/(created|modified|accessed): [^\\]+/g, "$1: THEN")
    .replaceAll(/"elicitationId":"[0-9a-f-]{36}"/g, '"elicitationId":"ID"')
    .replaceAll(/"progressToken":\d+/g, '"progressToken":"TOKEN"')
    // The SDK's own server wants news of what it asks, of a kind that none of ours sends.
    .replaceAll('"_meta":{"progressToken":"TOKEN"},', "")
    .replaceAll(SIGNED, "")

/** Whoever answers signs in the newer revision, and the gateway is not the server. */
const SIGNED =
  /"_meta":\{"io.modelcontextprotocol\/serverInfo":\{[^}]*\}\},|"io.modelcontextprotocol\/serverInfo":\{[^}]*\},/g

/** A request with the names of tools and prompts as the client sees them. */
function named({ wire }: Way, method: string, params: JsonObject): JsonObject {
  if (method === "tools/call" || method === "prompts/get") return { ...params, name: wire(String(params.name)) }
  const ref = params.ref as JsonObject | undefined
  return ref?.type === "ref/prompt" ? { ...params, ref: { ...ref, name: wire(String(ref.name)) } } : params
}
