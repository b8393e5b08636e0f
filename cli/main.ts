/** Runs one command; the answer is the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  process.stderr.write(`detent: the command \`${args[0] ?? ""}\` is not there yet\n`)
  return 1
}
