import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { FOLDERS, files } from "./generate/files.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** `npm run docs`: writes the reference and the schemas, and takes away what is no longer made. */
for (const folder of FOLDERS) {
  mkdirSync(join(root, folder), { recursive: true })
  for (const name of readdirSync(join(root, folder))) rmSync(join(root, folder, name))
}
for (const [path, text] of Object.entries(files())) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
