import { writeSync } from "node:fs"
import { openAudit } from "../../store/audit/store.ts"

// A process that appends until it is killed, and says of each row that it is acknowledged: `seq hash`.
const [folder = "", name = "", many = "1000000"] = process.argv.slice(2)
const audit = await openAudit(folder, { lockMs: 20_000 })
let at = 0
const one = async (): Promise<void> => {
  while (at < Number(many)) {
    const input = { by: name, at: at++ }
    const { seq, hash } = await audit.append({ caller: { id: name }, on: "call", input, outcome: "continue" })
    writeSync(1, `${seq} ${hash}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, one))
await audit.close()
