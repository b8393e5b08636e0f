import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import ts from "typescript"

/** One import as it is written: of a file of ours (a path from the root), of Node, or of a package. */
export interface Import {
  readonly target: string
  readonly kind: "file" | "node" | "package"
  /** `lazy` is `import()`: no cycle at load, and still an edge */
  readonly how: "value" | "type" | "lazy"
}

/** What the checks need to know of one source file. */
export interface Source {
  readonly file: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** members of `process` that it uses; `*` where it passes the whole object on */
  readonly process: readonly string[]
  readonly starExports: number
  readonly defaultExport: boolean
}

/** The files under a folder with this ending, as paths from the root, sorted. */
export function filesUnder(root: string, folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes("node_modules/"))
    .sort()
}

/** Reads one source file of the tree at `root`. */
export const readSource = (root: string, file: string): Source =>
  parseSource(file, readFileSync(join(root, file), "utf8"))

/** Takes the imports, and what else the checks look at, out of a file's text. */
export function parseSource(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const imports: Import[] = []
  const used: string[] = []
  let starExports = 0
  let defaultExport = false
  const add = (specifier: ts.Node | undefined, how: Import["how"]) => {
    if (specifier && ts.isStringLiteralLike(specifier)) imports.push({ ...locate(file, specifier.text), how })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node) ? "type" : "value")
    else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly ? "type" : "value")
      if (!node.exportClause || ts.isNamespaceExport(node.exportClause)) starExports++
    } else if (ts.isExportAssignment(node)) defaultExport = true
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, "type")
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], "lazy")
    else if (ts.isIdentifier(node) && node.text === "process") used.push(...usesOf(node))
    if (ts.canHaveModifiers(node) && node.modifiers?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword)) {
      defaultExport = true
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const named = imports.some((one) => one.target === "node:process" && one.how !== "type") ? ["*"] : []
  return {
    file,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports,
    process: [...new Set([...used, ...named])].sort(),
    starExports,
    defaultExport,
  }
}

function locate(from: string, specifier: string): Pick<Import, "target" | "kind"> {
  if (specifier.startsWith(".")) return { target: posix.join(posix.dirname(from), specifier), kind: "file" }
  if (specifier.startsWith("node:")) return { target: specifier, kind: "node" }
  const depth = specifier.startsWith("@") ? 2 : 1
  return { target: specifier.split("/").slice(0, depth).join("/"), kind: "package" }
}

const isTypeOnly = ({ importClause }: ts.ImportDeclaration): boolean =>
  importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword

/** `process.env` is `env`; `{ process: x }` and `other.process` are other things by that name; anything else is `*`. */
function usesOf(name: ts.Identifier): string[] {
  const { parent } = name
  if (ts.isPropertyAccessExpression(parent)) {
    if (parent.expression === name) return [parent.name.text]
    if (parent.expression.getText() !== "globalThis") return []
    return ts.isPropertyAccessExpression(parent.parent) ? [parent.parent.name.text] : ["*"]
  }
  const declares = (parent as { name?: ts.Node }).name === name
  return declares || ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent) ? [] : ["*"]
}
