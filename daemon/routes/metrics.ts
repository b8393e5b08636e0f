import type { Asked } from "../asked.ts"
import type { Daemon } from "../daemon.ts"

/** The figures as Prometheus reads them. */
export async function metrics(_: Asked, { metrics: { registry } }: Daemon): Promise<Response> {
  return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } })
}
