import type { JsonObject } from "../../../effects/json.ts"

/** One request of the table. `FOLDER` in a text stands for the run's own folder. */
export type Request = readonly [method: string, params?: JsonObject]

const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): Request => [
  "tools/call",
  { name, arguments: args, ...more },
]
const read = (uri: string): Request => ["resources/read", { uri }]
const prompt = (name: string, args?: JsonObject): Request => ["prompts/get", { name, ...(args && { arguments: args }) }]
const complete = (ref: JsonObject, name: string, value: string, context?: JsonObject): Request => [
  "completion/complete",
  { ref, argument: { name, value }, ...(context && { context }) },
]

const LISTS: readonly Request[] = [["tools/list"], ["prompts/list"], ["resources/list"], ["resources/templates/list"]]

const file = (name: string) => `FOLDER/${name}`

/** All tools of the server of files, each with arguments that are good and some that are not. */
export const FILESYSTEM: readonly Request[] = [
  ...LISTS,
  call("no-such-tool"),
  call("list_allowed_directories"),
  call("write_file", { path: file("new.txt"), content: "p → q\n\u0000\u{1f600}" }),
  call("write_file", { path: file("new.txt") }),
  call("write_file", { path: "/elsewhere/new.txt", content: "x" }),
  call("read_file", { path: file("new.txt") }),
  call("read_text_file", { path: file("new.txt"), head: 1 }),
  call("read_text_file", { path: file("lines.txt"), tail: 2 }),
  call("read_text_file", { path: file("lines.txt"), tail: 2, head: 2 }),
  call("read_text_file", { path: file("gone.txt") }),
  call("read_text_file", { path: 7 }),
  call("read_media_file", { path: file("dot.png") }),
  call("read_media_file", { path: file("gone.png") }),
  call("read_multiple_files", { paths: [file("lines.txt"), file("gone.txt")] }),
  call("read_multiple_files", { paths: "lines.txt" }),
  call("edit_file", { path: file("lines.txt"), edits: [{ oldText: "two", newText: "zwei" }], dryRun: true }),
  call("edit_file", { path: file("lines.txt"), edits: [{ oldText: "two", newText: "zwei" }] }),
  call("edit_file", { path: file("lines.txt"), edits: [{ oldText: "ten", newText: "zehn" }] }),
  call("create_directory", { path: file("a/b") }),
  call("create_directory", {}),
  call("list_directory", { path: "FOLDER" }),
  call("list_directory", { path: file("gone") }),
  call("list_directory_with_sizes", { path: "FOLDER", sortBy: "size" }),
  call("list_directory_with_sizes", { path: "FOLDER", sortBy: "colour" }),
  call("directory_tree", { path: "FOLDER" }),
  call("directory_tree", { path: file("gone") }),
  call("move_file", { source: file("new.txt"), destination: file("a/new.txt") }),
  call("move_file", { source: file("new.txt"), destination: file("a/new.txt") }),
  call("search_files", { path: "FOLDER", pattern: "**/*.txt" }),
  call("search_files", { path: "FOLDER" }),
  call("get_file_info", { path: file("lines.txt") }),
  call("get_file_info", { path: "/etc/passwd" }),
]

const ADA = { name: "Ada", entityType: "person", observations: ["wrote the first program"] }
const KNOWS = { from: "Ada", to: "Charles", relationType: "knows" }

export const MEMORY: readonly Request[] = [
  ...LISTS,
  call("no-such-tool"),
  call("create_entities", { entities: [ADA, { ...ADA, name: "Charles", observations: [] }] }),
  call("create_entities", { entities: [{ name: "Ada" }] }),
  call("create_relations", { relations: [KNOWS] }),
  call("create_relations", { relations: "all" }),
  call("add_observations", { observations: [{ entityName: "Ada", contents: ["p → q"] }] }),
  call("add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] }),
  call("read_graph"),
  call("search_nodes", { query: "program" }),
  call("search_nodes"),
  call("open_nodes", { names: ["Ada", "Nobody"] }),
  call("open_nodes", { names: [1] }),
  call("delete_observations", { deletions: [{ entityName: "Ada", observations: ["p → q"] }] }),
  call("delete_observations", {}),
  call("delete_relations", { relations: [KNOWS] }),
  call("delete_relations", { relations: [{}] }),
  call("delete_entities", { entityNames: ["Charles"] }),
  call("delete_entities", { entityNames: 1 }),
  call("read_graph", { unknown: true }),
]

const TEXT = "demo://resource/dynamic/text/1"
const PACKED = { name: "a.gz", data: "data:text/plain;base64,aGVsbG8=" }

export const EVERYTHING: readonly Request[] = [
  ...LISTS,
  call("no-such-tool"),
  call("echo", { message: "p → q \u{1f600}" }),
  call("echo", { message: "with meta" }, { _meta: { "example.org/trace": [1, "0", null] } }),
  call("echo", {}),
  call("get-sum", { a: 1, b: 2.5 }),
  call("get-sum", { a: "1", b: 2 }),
  call("get-tiny-image"),
  call("get-annotated-message", { messageType: "error", includeImage: true }),
  call("get-annotated-message", { messageType: "none" }),
  call("get-resource-links", { count: 2 }),
  call("get-resource-links", { count: 11 }),
  call("get-resource-reference", { resourceType: "Text", resourceId: 3 }),
  call("get-resource-reference", { resourceType: "Text", resourceId: 0 }),
  call("get-structured-content", { location: "Chicago" }),
  call("get-structured-content", { location: "Oslo" }),
  call("gzip-file-as-resource", { ...PACKED, outputType: "resource" }),
  call("gzip-file-as-resource", { ...PACKED, outputType: "resourceLink" }),
  read("demo://resource/session/a.gz"),
  call("gzip-file-as-resource", { ...PACKED, data: "no url" }),
  call("trigger-long-running-operation", { duration: 0.1, steps: 3 }),
  call("trigger-sampling-request", { prompt: "say", maxTokens: 9 }),
  call("trigger-sampling-request", { maxTokens: 9 }),
  call("trigger-elicitation-request"),
  call("trigger-url-elicitation", { url: "https://example.org/", elicitationId: "one" }),
  call("trigger-url-elicitation", { url: "https://example.org/", elicitationId: "two", errorPath: true }),
  call("simulate-research-query", { topic: "x" }),
  read(TEXT),
  read("demo://resource/dynamic/blob/2"),
  read("demo://resource/dynamic/text/none"),
  read("demo://no/such"),
  read("demo://resource/static/document/features.md"),
  prompt("simple-prompt"),
  prompt("args-prompt", { city: "Oslo", state: "N" }),
  prompt("args-prompt", {}),
  prompt("args-prompt"),
  prompt("completable-prompt", { department: "Sales", name: "Eve" }),
  prompt("resource-prompt", { resourceType: "Text", resourceId: "1" }),
  prompt("resource-prompt", { resourceType: "None", resourceId: "1" }),
  prompt("no-such-prompt"),
  complete({ type: "ref/prompt", name: "completable-prompt" }, "department", "S"),
  complete({ type: "ref/prompt", name: "completable-prompt" }, "name", "", { arguments: { department: "Sales" } }),
  complete({ type: "ref/prompt", name: "no-such-prompt" }, "name", ""),
  complete({ type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" }, "resourceId", "1"),
  complete({ type: "ref/resource", uri: "demo://no/{such}" }, "such", "1"),
]

/** Requests for what the server has not: among many servers it is the gateway that knows it. */
export const UNKNOWN: readonly Request[] = [
  call("no-such-tool"),
  prompt("no-such-prompt"),
  read("demo://no/such"),
  complete({ type: "ref/prompt", name: "no-such-prompt" }, "name", ""),
  complete({ type: "ref/resource", uri: "demo://no/{such}" }, "such", "1"),
]

const CITY = { type: "ref/prompt", name: "test_prompt_with_arguments" }
const WATCHED = { uri: "test://watched-resource" }

/** All that our own server of both revisions can, but for what never answers. */
export const FIXTURE: readonly Request[] = [
  ...LISTS,
  call("test_simple_text"),
  call("test_image_content"),
  call("test_audio_content"),
  call("test_embedded_resource"),
  call("test_multiple_content_types"),
  call("test_error_handling"),
  call("test_tool_with_progress"),
  call("test_tool_with_logging", {}, { _meta: { "io.modelcontextprotocol/logLevel": "debug" } }),
  call("test_sampling", { prompt: "say" }),
  call("test_elicitation", { message: "who?" }),
  call("test_elicitation_sep1034_defaults"),
  call("test_elicitation_sep1330_enums"),
  call("json_schema_2020_12_tool", { name: "x", address: { street: "y", city: "z" } }),
  call("test_structured", { a: 21 }),
  call("test_roots"),
  read("test://static-text"),
  read("test://static-binary"),
  read("test://template/7/data"),
  read("test://none"),
  prompt("test_simple_prompt"),
  prompt("test_prompt_with_arguments", { arg1: "one", arg2: "zwei" }),
  prompt("test_prompt_with_arguments", { arg1: "one" }),
  prompt("test_prompt_with_embedded_resource", { resourceUri: "test://x" }),
  prompt("test_prompt_with_image"),
  complete(CITY, "arg1", "par"),
  complete(CITY, "arg1", "none"),
]

/** What belongs to sessions, and is no request of the newer revision. */
export const OF_SESSIONS: readonly Request[] = [
  ["ping"],
  ["logging/setLevel", { level: "debug" }],
  call("test_tool_with_logging"),
  ["logging/setLevel", { level: "error" }],
  call("test_tool_with_logging"),
  ["resources/subscribe", WATCHED],
  call("test_update", WATCHED),
  call("test_update", { uri: "test://static-text" }),
  ["resources/unsubscribe", WATCHED],
  call("test_update", WATCHED),
  call("test_list_changed", { kind: "prompts", times: 3 }),
]
