import type { HappeningType } from "../policy/happenings.ts"

/** What servers say outside of any answer, by the name that MCP gives it. */
const KINDS: Readonly<Record<string, HappeningType>> = Object.freeze({
  "notifications/message": "message",
  "notifications/progress": "progress",
  "notifications/tools/list_changed": "tools.changed",
  "notifications/prompts/list_changed": "prompts.changed",
  "notifications/resources/list_changed": "resources.changed",
  "notifications/resources/updated": "resource.updated",
})

/** The kind under which a server's notification is published; undefined for those that are nobody's affair. */
export const serverKind = (method: string): HappeningType | undefined =>
  Object.hasOwn(KINDS, method) ? KINDS[method] : undefined
