import fc from "fast-check"
import Mustache from "mustache"
import { describe, expect, it } from "vitest"
import { compilePromptTemplate } from "../../prompts/sections.ts"
import { encodeValue } from "../../prompts/template.ts"

const roots = ["args", "tool"]
const compile = (text: string, partials: Record<string, string> = {}) =>
  compilePromptTemplate(text, { roots, partials })
const render = (text: string, event: unknown, partials: Record<string, string> = {}) => {
  const template = compile(text, partials)
  expect(template.faults).toEqual([])
  return template.render(event)
}

describe("a section", () => {
  it.each([
    ["{{#args.on}}yes{{/args.on}}", { args: { on: true } }, "yes"],
    ["{{#args.on}}yes{{/args.on}}", { args: { on: false } }, ""],
    ["{{#args.on}}yes{{/args.on}}", { args: {} }, ""],
    ["{{^args.on}}no{{/args.on}}", { args: {} }, "no"],
    ["{{^args.on}}no{{/args.on}}", { args: { on: 1 } }, ""],
    ["{{^args.list}}none{{/args.list}}", { args: { list: [] } }, "none"],
    [
      "{{#args.list}}{{.}};{{/args.list}}",
      { args: { list: ["a", 1, null, { b: "<" }] } },
      '"a";1;null;{"b":"\\u003c"};',
    ],
    ["{{#args.list}}{{name}} {{/args.list}}", { args: { list: [{ name: "a" }, { name: "b" }] } }, '"a" "b" '],
    ["{{#args}}{{tool}}{{/args}}", { args: { x: 1 }, tool: "outer" }, '"outer"'],
    ["{{#args}}{{tool}}{{/args}}", { args: { tool: "inner" }, tool: "outer" }, '"inner"'],
    ["{{#args}}@tool{{/args}}", { args: { tool: "inner" }, tool: "outer" }, '"outer"'],
    ["{{#args.a}}{{#b}}{{c}}{{/b}}{{/args.a}}", { args: { a: { b: { c: 1 } } } }, "1"],
    ["{{#args.a}}{{b.c}}{{/args.a}}", { args: { a: { b: {} } }, b: { c: "outer" } }, "null"],
    ["{{args.gone}} {{gone}}", { args: {} }, "null null"],
    ["{{ args.a }}", { args: { a: "x" } }, '"x"'],
    ["a{{! a comment with {{{raw}} }}b", {}, "a }}b"],
    ["- {{#args.list}}\n  - {{.}}\n{{/args.list}}\n", { args: { list: [1, 2] } }, "- \n  - 1\n\n  - 2\n"],
    ["{{#args.list}}\n- {{.}}\n{{/args.list}}\n", { args: { list: [1, 2] } }, "- 1\n- 2\n"],
    ["{{#args.list}}\r\n- {{.}}\r\n{{/args.list}}\r\n", { args: { list: [1, 2] } }, "- 1\r\n- 2\r\n"],
    ["@@{{args.a}}@@", { args: { a: 1 } }, "@1@"],
    ["{{args.a}}@tool", { args: { a: 1 }, tool: "x" }, '1"x"'],
    ["me@tool{{args.a}}", { args: { a: 1 }, tool: "x" }, "me@tool1"],
    ["{ {x} } }}", {}, "{ {x} } }}"],
  ])("%j on %j gives %j", (text, event, expected) => {
    expect(render(text, event)).toBe(expected)
  })

  it("sees own members only", () => {
    for (const name of ["constructor", "__proto__", "toString", "args.constructor", "args.length", "tool.length"]) {
      expect(render(`{{${name}}}{{#${name}}}in{{/${name}}}`, { args: [1], tool: "x" })).toBe("null")
    }
    expect(render("{{args.length}}{{args.constructor}}", { args: { length: 2, constructor: 3 } })).toBe("23")
    expect(render("{{args.__proto__}}", JSON.parse('{"args":{"__proto__":5}}'))).toBe("5")
  })

  it("calls no function that an event holds", () => {
    const raw = () => "<raw>"
    const event = { args: raw, tool: { run: raw } }
    expect(render("{{args}}{{#args}}x{{/args}}{{tool.run}}@args{{^args}}none{{/args}}", event)).toBe("nullnullnullnone")
  })

  it("is the package's own, but for values and names", () => {
    // The package falls over an item that is null, and looks for `a.b` outside where `a` has no `b`.
    const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !/null|__proto__/.test(JSON.stringify(value)))
    const names = ["a", "b", "."]
    const node: fc.Arbitrary<string> = fc.letrec<{ text: string; section: string; node: string }>((tie) => ({
      text: fc.constantFrom("x", " ", "\n", "{{a}}", "{{b}}", "{{.}}"),
      section: fc
        .tuple(fc.constantFrom("#", "^"), fc.constantFrom(...names), fc.array(tie("node"), { maxLength: 3 }))
        .map(([kind, name, inner]) => `{{${kind}${name}}}${inner.join("")}{{/${name}}}`),
      node: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("text"), tie("section")),
    })).node
    fc.assert(
      fc.property(fc.array(node, { maxLength: 5 }), fc.dictionary(fc.constantFrom("a", "b"), json), (nodes, event) => {
        const text = nodes.join("")
        class Oracle extends Mustache.Writer {
          override escapedValue(token: string[], context: Mustache.Context) {
            return encodeValue(context.lookup(token[1]!))
          }
        }
        const ours = compilePromptTemplate(text, { roots: [] }).render(event)
        expect(ours).toBe(text.includes("{{") ? new Oracle().render(text, event, undefined, ["{{", "}}"]) : text)
      }),
      { numRuns: 500 },
    )
  })
})

describe("a partial", () => {
  it("stands where it is named, sees the section around it, and holds placeholders and sections", () => {
    const partials = { item: "[{{name}} @tool {{> more}}]", more: "{{#name}}!{{/name}}" }
    const event = { args: [{ name: "a" }, { name: "" }], tool: "t" }
    expect(render("{{#args}}{{> item}}{{/args}}", event, partials)).toBe('["a" "t" !]["" "t" ]')
  })

  it("is indented as its tag is", () => {
    expect(render("a\n  {{> p}}\nb", { tool: "x\ny" }, { p: "@tool\n{{tool}}\n" })).toBe('a\n  "x\\ny"\n  "x\\ny"\nb')
  })

  it("may have any name that a tag can hold, also one of a prototype", () => {
    for (const name of ["a-b", "a.b", "constructor", "toString"]) {
      expect(render(`{{> ${name}}}`, {}, { [name]: "in" })).toBe("in")
      expect(compile(`{{> ${name}}}`, {}).faults).toHaveLength(1)
    }
  })

  it("that includes itself, at once or on the way, is a fault", () => {
    expect(compile("{{> a}}", { a: "{{> a}}" }).faults).toEqual([
      {
        message: "the partial `a` includes itself",
        hint: "a text without end is no prompt",
        offset: 0,
        partial: "a",
      },
    ])
    expect(compile("{{> a}}", { a: "x {{> b}}", b: "{{> c}}", c: "y {{> a}}" }).faults).toMatchObject([
      { partial: "c", offset: 2 },
    ])
  })

  it("is read once, however often it is included", () => {
    const partials: Record<string, string> = { p0: "{{{raw}}}" }
    for (let at = 1; at <= 40; at++) partials[`p${at}`] = `{{> p${at - 1}}}{{> p${at - 1}}}`
    expect(compile("{{> p40}}", partials).faults).toHaveLength(1)
  })

  it("is a fault where there is none of its name", () => {
    expect(compile("{{> gone}}").faults).toMatchObject([{ hint: "give it in `partials`", offset: 0 }])
    expect(compile("x {{> gone}}", { a: "", b: "" }).faults).toMatchObject([
      { hint: "the partials are a, b", offset: 2 },
    ])
  })
})

describe("what no template may hold", () => {
  const RAW = "a raw tag pastes a value as it is, and no value may be pasted"
  const DELIMITERS = "a template's delimiters stay `{{` and `}}`"
  it.each([
    ["a {{{args}}}", RAW, 2],
    ["{{& args}}", RAW, 0],
    ["{{#args}}\n  {{{x}}}{{/args}}", RAW, 12],
    ["{{^args}}{{&x}}{{/args}}", RAW, 9],
    ["line\n{{=<% %>=}}<%& args %>", DELIMITERS, 5],
    ["{{#args}}", 'the tags do not match: unclosed section "args"', 9],
    ["x {{/args}}", 'the tags do not match: unopened section "args"', 2],
    ["{{#args}}{{/tool}}", 'the tags do not match: unclosed section "args"', 9],
    ["x {{args", "the tags do not match: unclosed tag", 8],
    ["x {{{args}}", "the tags do not match: unclosed tag", 11],
  ])("is told with its place: %j", (text, message, offset) => {
    const { faults, render } = compile(text)
    expect(faults[0]).toMatchObject({ message, offset })
    expect(render({ args: "SECRET" })).toBe("")
  })

  it("is told in a partial, with the partial's own offset", () => {
    expect(compile("a {{> p}}", { p: "bc {{{x}}}" }).faults).toMatchObject([{ message: RAW, offset: 3, partial: "p" }])
    expect(compile("a {{> p}}", { p: "{{#x}}" }).faults).toMatchObject([{ partial: "p" }])
  })

  it("is told each time, in order", () => {
    const { faults } = compile("{{{a}}} {{&b}} {{> c}} {{{d}}}")
    expect(faults.map(({ offset }) => offset)).toEqual([0, 8, 15, 23])
  })
})

describe("the places of placeholders and tags", () => {
  it("are those of the text, also where whole lines are taken out", () => {
    const text = "@tool\n  {{#args}}  \n @args {{x}}\n{{/args}}\n{{! c }}\n\n@nobody {{^args}}@tool{{/args}}"
    const { placeholders, unknown, tags } = compile(text)
    for (const { path, offset } of placeholders) expect(text.startsWith(`@${path}`, offset)).toBe(true)
    for (const { name, offset } of unknown) expect(text.startsWith(`@${name}`, offset)).toBe(true)
    for (const { path, offset } of tags) expect(text.slice(offset)).toMatch(new RegExp(`^\\{\\{[#^]?${path}`))
    expect(placeholders).toHaveLength(3)
    expect(tags.map(({ path, within }) => [path, within])).toEqual([
      ["args", false],
      ["x", true],
      ["args", false],
    ])
  })
})

it("an engine's templates share nothing: one text at two events gives each its own", () => {
  const template = compile("{{#args}}{{.}}@tool{{/args}}")
  expect(template.render({ args: [1], tool: "a" })).toBe('1"a"')
  expect(template.render({ args: [2], tool: "b" })).toBe('2"b"')
})
