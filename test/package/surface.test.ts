import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { SURFACES, type Surface } from "./surface.ts"

const place = (door: string): string => fileURLToPath(new URL(`../../${door}`, import.meta.url))

/** The names that a door re-exports, by its own text. */
function written(door: string): Surface {
  const tree = ts.createSourceFile(door, readFileSync(place(door), "utf8"), ts.ScriptTarget.ES2022, true)
  const values: string[] = []
  const types: string[] = []
  for (const statement of tree.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      for (const one of statement.exportClause.elements) {
        const list = statement.isTypeOnly || one.isTypeOnly ? types : values
        list.push(one.name.text)
      }
    } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      if (isExported(statement)) types.push(statement.name.text)
    }
  }
  return { values: values.sort(), types: types.sort() }
}

const isExported = (node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): boolean =>
  node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword) ?? false

describe("the surface of the package", () => {
  it("has a written list for every door that exists", () => {
    const doors = ["index.ts", "node.ts", "mcp.ts", "golden.ts"].filter((door) => existsSync(place(door)))
    expect(Object.keys(SURFACES)).toEqual(doors)
  })

  for (const [door, surface] of Object.entries(SURFACES)) {
    it(`is at ${door} what the list says, no more and no less`, async () => {
      const module: object = await import(place(door))
      expect(Object.keys(module).sort()).toEqual([...surface.values].sort())
      expect(written(door).types).toEqual([...surface.types].sort())
    })
  }
})
