/** What is used of a client of the official SDK, of either generation. */
export interface McpClient {
  connect(...given: never[]): Promise<unknown>
  callTool(...given: never[]): Promise<unknown>
  listTools(...given: never[]): Promise<unknown>
  readResource(...given: never[]): Promise<unknown>
  getPrompt(...given: never[]): Promise<unknown>
  request(...given: never[]): Promise<unknown>
  close(): Promise<void>
}

type Method = (...given: readonly unknown[]) => Promise<unknown>

/** The same client, as it is called from here. */
export type Plain = Readonly<Record<keyof McpClient, Method>> & {
  /** of the 2.x SDK */
  getProtocolEra?(): string | undefined
}

/** Of the protocol that is spoken: the 1.x SDK knows only the revisions up to 2025. */
export const eraOf = (client: Plain): string | undefined => (client.getProtocolEra ? client.getProtocolEra() : "legacy")

/** Where `callTool` takes options: the 1.x SDK has the result's schema before them. */
export const withOptions = (client: Plain, options: object): readonly unknown[] =>
  client.getProtocolEra ? [options] : [undefined, options]
