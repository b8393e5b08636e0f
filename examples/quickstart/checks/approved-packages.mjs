// A check as a hook runs it: the event on stdin, one JSON object (or nothing) on stdout.
// It knows one way to fail: a command that it cannot read. It says so with a non-zero exit, and `failure: closed`
// in the policy makes that a refusal.
import { readFileSync } from "node:fs"

const APPROVED = new Set(JSON.parse(readFileSync(new URL("approved-packages.json", import.meta.url), "utf8")))

const { target } = JSON.parse(readFileSync(0, "utf8"))
const words = target.command.match(/\b(?:npm|pnpm|yarn|pip)\s+(?:install|i|add)\b([^;&|]*)/)?.[1] ?? ""
if (/[$`(){}<>*?"'\\]/.test(words)) process.exit(1)

const packages = words
  .split(/\s+/)
  .filter((word) => word !== "" && !word.startsWith("-"))
  .map((word) => word.replace(/(?<=.)(@|[=~<>]=).*$/, ""))
const unknown = packages.filter((name) => !APPROVED.has(name))

if (unknown.length > 0) {
  const reason = `not on the approved list: ${unknown.join(", ")}`
  console.log(JSON.stringify({ refuse: { reason, code: "unapproved-package", data: unknown } }))
}
