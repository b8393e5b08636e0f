import type { Tool } from "@modelcontextprotocol/client"
import { fitsOf } from "../actions/fits.ts"
import type { Ports } from "../engine/ports.ts"

/** What a server last said of its tools, and the checks of what they take and of what they promise. */
export interface Listed {
  readonly tools: readonly Tool[]
  readonly fits: NonNullable<Ports["fits"]>
  readonly promises: NonNullable<Ports["fits"]>
}

export async function listed(server: string, tools: readonly Tool[]): Promise<Listed> {
  const schemas = (of: (tool: Tool) => object | undefined) =>
    fitsOf(
      Object.fromEntries(
        tools.flatMap((tool) => {
          const schema = of(tool)
          return schema ? [[`${server}/${tool.name}`, { inputSchema: { ...schema } }] as const] : []
        }),
      ),
    )
  const [fits, promises] = await Promise.all([
    schemas((tool) => tool.inputSchema),
    schemas((tool) => tool.outputSchema),
  ])
  return { tools, fits, promises }
}
