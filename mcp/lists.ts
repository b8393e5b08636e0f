import type { Client } from "@modelcontextprotocol/client"

/** The lists that a server keeps, and the client's way to all pages of each. */
export const LISTS = Object.freeze({
  tools: (client: Client, timeout: number) => client.listTools(undefined, { timeout }).then(({ tools }) => tools),
  prompts: (client: Client, timeout: number) => client.listPrompts(undefined, { timeout }).then((all) => all.prompts),
  resources: (client: Client, timeout: number) =>
    client.listResources(undefined, { timeout }).then((all) => all.resources),
  templates: (client: Client, timeout: number) =>
    client.listResourceTemplates(undefined, { timeout }).then((all) => all.resourceTemplates),
})
export type ListName = keyof typeof LISTS

/** Which of its capabilities says that a server has a list. */
export const CAPABILITY = Object.freeze({
  tools: "tools",
  prompts: "prompts",
  resources: "resources",
  templates: "resources",
})
