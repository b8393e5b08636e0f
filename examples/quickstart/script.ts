// A script as an agent might write it: tool calls and plain code in one go. Run it with
//   npx detent run --policy examples/quickstart/detent.yaml examples/quickstart/script.ts
// Detent gives it call, emit, artifact and log. Each call passes the hooks of the policy.
declare const call: (tool: string, args: Record<string, unknown>) => Promise<unknown>
declare const emit: (value: unknown) => void
declare const artifact: (name: string, data: string, options?: { mime?: string }) => Promise<unknown>
declare const log: Record<"debug" | "info" | "warn" | "error", (...args: unknown[]) => void>

const WISHES = ["notes.md", ".env"]

export default async function survey(): Promise<{ asked: number; refused: number }> {
  const report: { path: string; answer: string }[] = []
  for (const path of WISHES) {
    log.info(`reading ${path}`)
    const answer = await call("fs/read_text_file", { path }).then(
      (file) => `read ${(file as { content: string }).content.length} characters`,
      (error: Error & { code?: string }) => `${error.code ?? "error"}: ${error.message}`,
    )
    emit({ path, answer })
    report.push({ path, answer })
  }
  const rows = report.map(({ path, answer }) => `| ${path} | ${answer} |`)
  await artifact("report.md", ["| path | answer |", "|---|---|", ...rows, ""].join("\n"), { mime: "text/markdown" })
  return { asked: report.length, refused: report.filter(({ answer }) => answer.startsWith("refused")).length }
}
