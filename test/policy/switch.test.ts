import { describe, expect, it } from "vitest"
import { createEngine } from "../../node.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { fromEnvironment } from "../../settings/given.ts"
import { detent, EVENT, environment, folderWith, policy, rule } from "../cli/capture.ts"

const MUST = rule("must", { refuse: "always" }, { effect: "ask", floor: "ask" })
const MAY = rule("may", { advise: "sometimes" })

describe("hooks that are switched off", () => {
  it("are reported as disabled, but for those with a floor, by a policy's own word", async () => {
    const text = policy([MAY, MUST], { "features.hooks": false, ceilings: [{ id: "c", max: "ask" }] })
    const engine = await createEngine({ policy: parsePolicy(text) })
    const { frames, refusal } = await engine.fire("call", "before", EVENT)
    expect(frames).toMatchObject([
      { hook: "may", skipped: "disabled" },
      { hook: "must", effect: "ask" },
    ])
    expect(refusal).toMatchObject({ hook: "must" })
    await engine.close()
  })

  it.each([
    ["DETENT_DISABLE_HOOKS", "1"],
    ["DETENT_DISABLE_HOOKS", "true"],
    ["DETENT_FEATURES_HOOKS", "false"],
  ])("are off by %s=%s, which is said with what stays", async (name, value) => {
    const cwd = folderWith({ "p.json": policy([MAY, MUST]), "e.json": EVENT })
    const ran = await detent(["decide", "--policy", "p.json", "--event", "e.json"], { cwd, env: { [name]: value } })
    expect(ran).toMatchObject({
      code: 2,
      err: `detent: hooks are switched off by \`env:${name}\`; these have a floor and stay in force: \`must\`\n`,
      out: expect.stringMatching(/"hook":"may".*"skipped":"disabled"/),
    })
  })

  it("are on where the variable says nothing or 0, and a word that is none is an error", () => {
    for (const said of ["", "0", "false"]) expect(fromEnvironment({ DETENT_DISABLE_HOOKS: said })).toEqual([])
    const cwd = folderWith({ "p.json": policy([]), "e.json": EVENT })
    const env = { DETENT_DISABLE_HOOKS: "yes" }
    return expect(detent(["decide", "--policy", "p.json", "--event", "e.json"], { cwd, env })).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining("`features.hooks` must be true or false"),
    })
  })

  it("stay off whatever a higher layer says, and a file that nobody trusts switches none off", async () => {
    const cwd = folderWith({
      "home/.config/detent/policy.yaml": policy([MAY], { "features.hooks": false }),
      "detent.json": policy([rule("more", { advise: "x" })], { "features.hooks": true }),
    })
    const listed = await detent(["hooks", "list", "--format", "json"], { cwd, env: { DETENT_FEATURES_HOOKS: "true" } })
    expect(JSON.parse(listed.out)).toMatchObject([
      { id: "may", inForce: false, why: expect.stringContaining("switched off by") },
      { id: "more", inForce: false },
    ])
    const untrusted = folderWith({
      "home/.config/detent/policy.yaml": policy([MAY]),
      "detent.json": policy([], { "features.hooks": false }),
    })
    const { err, out } = await detent(["hooks", "list", "--format", "json"], { cwd: untrusted })
    expect(JSON.parse(out)).toMatchObject([{ id: "may", inForce: true }])
    expect(err).toContain("these settings are not in force: `features.hooks`")
  })

  it.each([
    ["exec", ["exec", "return 1"]],
    ["call", ["call", "s/t"]],
    ["mcp", ["mcp"]],
    ["explain", ["explain"]],
  ])("are off in `detent %s`, too, with the lines inside scripts", async (_, words) => {
    const cwd = folderWith({ "detent.json": policy([MAY]) })
    const { err } = await detent(words, { cwd, env: { ...environment(cwd), DETENT_DISABLE_HOOKS: "1" } })
    expect(err).toContain("hooks are switched off by `env:DETENT_DISABLE_HOOKS`")
  })

  it("leave ceilings, consent and a caller's own lines as they are", () => {
    const text = policy([MAY], {
      "features.hooks": false,
      "elicit.confirmDestructive": true,
      "script.before": ["log()"],
    })
    expect(parsePolicy(text)).toMatchObject({
      values: { "elicit.confirmDestructive": { value: true } },
      script: {},
      hooks: [{ enabled: false }],
    })
  })

  it("are off for an agent's event: it passes, unless a floor says otherwise", async () => {
    const payload = { session_id: "s", transcript_path: "/t", hook_event_name: "PreToolUse", tool_name: "Bash" }
    const stdin = JSON.stringify({ ...payload, tool_input: { command: "ls" } })
    const refuses = rule("refuses", { refuse: "no" }, { effect: "ask" })
    const off = { env: { DETENT_DISABLE_HOOKS: "1" }, stdin }
    const words = ["hook", "claude-code", "--policy", "p.json"]
    const passed = await detent(words, { ...off, cwd: folderWith({ "p.json": policy([refuses]) }) })
    expect(passed.out).toBe("")
    const refused = await detent(words, { ...off, cwd: folderWith({ "p.json": policy([refuses, MUST]) }) })
    expect(refused.out).toContain('"permissionDecision":"deny"')
  })
})
