import { describe, expect, it } from "vitest"
import { AGENTS, applyTarget, describeTool, isOwnTool, TOOL_KINDS } from "../../policy/tools.ts"
import { AGENT_TOOLS, MCP_TOOLS } from "../../policy/vocabulary.ts"

describe("a tool in the one vocabulary", () => {
  it.each([
    ["claude-code", "Bash", { command: "ls" }, "shell", { command: "ls" }],
    ["claude-code", "Edit", { file_path: "/a", old_string: "x" }, "edit", { path: "/a" }],
    ["claude-code", "NotebookEdit", { notebook_path: "/n" }, "edit", { path: "/n" }],
    ["claude-code", "WebFetch", { url: "https://a", prompt: "p" }, "fetch", { url: "https://a" }],
    ["claude-code", "Agent", { description: "sub" }, "agent", {}],
    ["claude-code", "TaskCreate", { subject: "T" }, "other", {}],
    ["codex", "shell", { command: ["bash", "-lc", "ls"] }, "shell", { command: "bash -lc ls" }],
    ["codex", "exec_command", { cmd: "ls" }, "shell", { command: "ls" }],
    [
      "codex",
      "apply_patch",
      { command: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n" },
      "edit",
      { path: "src/a.ts" },
    ],
    ["gemini", "run_shell_command", { command: "ls" }, "shell", { command: "ls" }],
    ["gemini", "replace", { file_path: "/a" }, "edit", { path: "/a" }],
    ["gemini", "read_file", { absolute_path: "/a" }, "read", { path: "/a" }],
    ["cursor", "Shell", { command: "ls" }, "shell", { command: "ls" }],
    ["cursor", "Delete", { path: "/a" }, "delete", { path: "/a" }],
    ["vscode", "run_in_terminal", { command: "ls" }, "shell", { command: "ls" }],
    ["vscode", "createFile", { filePath: "/a" }, "write", { path: "/a" }],
    ["copilot", "bash", { command: "ls" }, "shell", { command: "ls" }],
    ["copilot", "create", { path: "/a" }, "write", { path: "/a" }],
    ["copilot", "Read", { file_path: "/a" }, "read", { path: "/a" }],
    ["opencode", "webfetch", { url: "https://a" }, "fetch", { url: "https://a" }],
    ["opencode", "write", { filePath: "/a" }, "write", { path: "/a" }],
    ["vix", "write_file", { path: "/a" }, "write", { path: "/a" }],
    ["fs", "read_text_file", { path: "/a" }, "read", { path: "/a" }],
    ["fs", "move_file", { source: "/a", destination: "/b" }, "write", { path: "/b" }],
    ["web", "fetch", { url: "https://a" }, "fetch", { url: "https://a" }],
    ["db", "query", { sql: "select 1" }, "mcp", {}],
    ["db", "export", { path: "/a", uri: "db://x", command: "go" }, "mcp", { path: "/a", url: "db://x", command: "go" }],
    ["claude-code", "Unheard", { file_path: "/a" }, "other", { path: "/a" }],
    ["claude-code", "bash", {}, "shell", {}],
    ["db", "Bash", { command: "ls" }, "mcp", { command: "ls" }],
  ])("%s %s with %j is %s", (server, tool, args, kind, target) => {
    expect(describeTool(server, tool, args)).toEqual({ kind, target })
  })

  it("takes only texts for a target, and only own members", () => {
    expect(describeTool("claude-code", "Bash", { command: 5 }).target).toEqual({})
    expect(describeTool("claude-code", "Bash", { command: [] }).target).toEqual({})
    expect(describeTool("claude-code", "Bash", { command: ["a", 5] }).target).toEqual({})
    expect(describeTool("claude-code", "Bash", Object.create({ command: "ls" })).target).toEqual({})
    for (const args of [undefined, null, "ls", ["ls"]])
      expect(describeTool("claude-code", "Bash", args).target).toEqual({})
  })

  it("does not take one file of a patch for all of them", () => {
    const patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Add File: .env\n+k\n*** End Patch"
    expect(describeTool("codex", "apply_patch", { command: patch })).toEqual({ kind: "edit", target: {} })
    const moved = "*** Update File: a\n*** Move to: b\n"
    expect(describeTool("codex", "apply_patch", { command: moved }).target).toEqual({})
  })

  it("is not found under names that every object has", () => {
    expect(describeTool("fs", "constructor", {}).kind).toBe("mcp")
    expect(describeTool("claude-code", "toString", {}).kind).toBe("other")
    expect(describeTool("constructor", "Bash", {}).kind).toBe("mcp")
  })

  it("is its agent's own only where the agent is known to bring it", () => {
    expect(isOwnTool("claude-code", "Bash")).toBe(true)
    expect(isOwnTool("claude-code", "mcp__fs__read")).toBe(false)
    expect(isOwnTool("fs", "Bash")).toBe(false)
  })

  it("has a known kind in every table", () => {
    for (const table of [...AGENTS.map((agent) => AGENT_TOOLS[agent]), MCP_TOOLS]) {
      for (const [tool, { kind }] of Object.entries(table)) expect(TOOL_KINDS, tool).toContain(kind)
    }
  })
})

describe("a rewritten target", () => {
  it.each([
    [
      "claude-code",
      "Bash",
      { command: "ls", description: "d" },
      { command: "ls -a" },
      { command: "ls -a", description: "d" },
    ],
    ["gemini", "read_file", { absolute_path: "/a" }, { path: "/b" }, { absolute_path: "/b" }],
    ["claude-code", "Grep", { pattern: "x" }, { path: "/b" }, { pattern: "x", path: "/b" }],
    ["db", "export", { uri: "db://x" }, { url: "db://y" }, { uri: "db://y" }],
    ["claude-code", "Bash", { command: "ls" }, {}, { command: "ls" }],
    ["codex", "shell", { command: ["ls", "-a"] }, { command: "ls -a" }, { command: ["ls", "-a"] }],
  ])("goes back into the arguments of %s %s %j", (server, tool, args, target, expected) => {
    expect(applyTarget(server, tool, args, target)).toEqual(expected)
  })

  it.each([
    ["a member without a place", "claude-code", "Bash", { command: "ls" }, { url: "https://a" }],
    ["a member that is no text", "claude-code", "Bash", { command: "ls" }, { command: 5 }],
    ["an unknown member", "claude-code", "Bash", { command: "ls" }, { cwd: "/" }],
    ["another command for an array of words", "codex", "shell", { command: ["ls"] }, { command: "rm x" }],
    ["a path of an unknown tool that has none", "db", "query", { sql: "x" }, { path: "/a" }],
    ["another path for a patch", "codex", "apply_patch", { command: "*** Update File: a\n" }, { path: "b" }],
  ])("does not go back with %s", (_, server, tool, args, target) => {
    expect(applyTarget(server, tool, args, target)).toBeUndefined()
  })

  it("leaves the arguments that it was given as they are", () => {
    const args = Object.freeze({ command: "ls" })
    expect(applyTarget("claude-code", "Bash", args, { command: "pwd" })).toEqual({ command: "pwd" })
    expect(args).toEqual({ command: "ls" })
  })
})
