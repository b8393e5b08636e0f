// The least that stands between a client and a server: parses each line once, looks at it, and passes its bytes on.
import { spawn } from "node:child_process"

const server = spawn(process.execPath, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] })
const eachLine = (from, take) => {
  let rest = ""
  from.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop()
    for (const line of lines) take(line)
  })
}
let calls = 0
eachLine(process.stdin, (line) => {
  if (JSON.parse(line).method === "tools/call") calls++
  server.stdin.write(`${line}\n`)
})
eachLine(server.stdout, (line) => {
  JSON.parse(line)
  process.stdout.write(`${line}\n`)
})
process.stdin.on("end", () => server.kill())
process.on("exit", () => process.env.DEBUG && console.error(calls))
