import type { JsonObject } from "../effects/json.ts"
import { VERSION } from "../settings/version.ts"
import { PROBLEM_TYPE, PROBLEMS } from "./problem.ts"
import { ROUTE_NAMES, type RouteRow, routeRow } from "./routes.ts"

const PROBLEM: JsonObject = {
  type: "object",
  description: "problem details, RFC 9457",
  properties: {
    type: { enum: Object.keys(PROBLEMS).map((code) => `urn:detent:problem:${code}`) },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    hint: { type: "string" },
  },
  required: ["type", "title", "status", "detail"],
}

const withoutDialect = ({ $schema: _, ...schema }: JsonObject): JsonObject => schema

function operationOf(name: string, { doc, scopes, body, query, path, answers }: RouteRow): JsonObject {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => ({
    name: part,
    in: "path",
    required: true,
    schema: { type: "string" },
  }))
  const inQuery = Object.entries(query ?? {}).map(([part, description]) => ({
    name: part,
    in: "query",
    description,
    schema: { type: "string" },
  }))
  return {
    operationId: name,
    summary: doc,
    ...(scopes ? { security: [{ token: [] }], "x-scopes": scopes } : { security: [] }),
    parameters: [...inPath, ...inQuery],
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: withoutDialect(body.schema()) } } } }
      : {}),
    responses: {
      200: { description: "what was asked for", content: { [answers]: {} } },
      default: {
        description: "a problem",
        content: { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/problem" } } },
      },
    },
  }
}

/** The description of the daemon's routes, of the table that the daemon serves. */
export function openApi(): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const name of ROUTE_NAMES) {
    const row = routeRow(name)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationOf(name, row) }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Detent", version: VERSION, description: "The daemon's routes, on its socket and on loopback TCP." },
    paths,
    components: {
      schemas: { problem: PROBLEM },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  }
}
