import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"

export interface Member {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly doc: string
}

const ROOT = new URL("../../", import.meta.url)

/**
 * The members of an exported interface, as its source file has them: frames are types alone, so that nothing but the
 * source can say what stands in them.
 */
export function membersOf(file: string, name: string): Member[] {
  const path = fileURLToPath(new URL(file, ROOT))
  const tree = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true)
  const found = tree.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`${file} has no interface ${name}`)
  return found.members.filter(ts.isPropertySignature).map((member) => read(member, tree))
}

/** The alternatives of an exported union of literal object types and names, each with its members. */
export function unionOf(file: string, name: string): { readonly type: string; readonly members: Member[] }[] {
  const path = fileURLToPath(new URL(file, ROOT))
  const tree = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true)
  const found = tree.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name)
  if (!found || !ts.isTypeAliasDeclaration(found) || !ts.isUnionTypeNode(found.type)) {
    throw new Error(`${file} has no union ${name}`)
  }
  return found.type.types.map((type) => {
    const members = ts.isTypeLiteralNode(type)
      ? type.members.filter(ts.isPropertySignature).map((member) => read(member, tree))
      : membersOf(file, type.getText(tree))
    const tag = members.find((member) => member.name === "type")?.type ?? ""
    return { type: tag.replaceAll('"', ""), members: members.filter((member) => member.name !== "type") }
  })
}

function read(member: ts.PropertySignature, tree: ts.SourceFile): Member {
  const doc = ts
    .getJSDocCommentsAndTags(member)
    .map((node) => (typeof node.comment === "string" ? node.comment : ""))
    .join(" ")
  return {
    name: member.name.getText(tree),
    type: (member.type?.getText(tree) ?? "unknown").replaceAll(/\breadonly /g, "").replaceAll(/\s+/g, " "),
    optional: member.questionToken !== undefined,
    doc,
  }
}
