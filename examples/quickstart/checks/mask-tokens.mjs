// A check as a module: its default export takes the event and answers an output, or nothing.
const TOKEN = /\b(?:ghp_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9-]{20,}|AKIA[A-Z0-9]{16})\b/g

const mask = (value) => {
  if (typeof value === "string") return value.replace(TOKEN, "[token]")
  if (Array.isArray(value)) return value.map(mask)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mask(member)]))
}

export default ({ result }) => {
  const masked = mask(result)
  if (JSON.stringify(masked) === JSON.stringify(result)) return undefined
  return { apply: { result: masked }, advise: "a token in this result was masked" }
}
