import { DIALECT_NAMES } from "../dialects/dialects.ts"
import type { Command } from "./command.ts"
import { GATE_FLAGS, MCP_FLAGS, MODEL_FLAGS, SCRIPT_FLAGS, SETTING_FLAGS, SHARED } from "./flags.ts"

const { policy, event, caller, format, host, cassettes, help } = SHARED

const DECIDED = { 0: "go on", 1: "an error: a bad policy, a bad event", 2: "refused", 3: "a question is open" }
const TOLD = { 0: "good", 1: "an error" }
const FOUND = { 0: "good", 1: "findings", 2: "could not run" }
const SCRIPT = { 126: "refused", 1: "an error before it started", other: "the script's own" }

const scriptFlags = [
  policy,
  ...SCRIPT_FLAGS,
  ...SETTING_FLAGS,
  ...GATE_FLAGS,
  ...MODEL_FLAGS,
  cassettes,
  caller,
  {
    name: "delivery",
    kind: "value",
    hint: "HOW",
    values: ["inline", "stream"],
    doc: "stream: artifacts' bytes follow the `end` frame",
  },
  { name: "artifacts", kind: "value", hint: "DIR", doc: "where the script's artifacts are written" },
  format,
  help,
] as const

const SCRIPT_MORE = [
  "The script sees call(), emit(), artifact() and log. Flags may stand before or after it; what follows `--` goes to the script.",
  "In text, the script's output is its own; a result is printed after it as one line of JSON, a text as it is.",
]

/** Every command. Parsing, help and completion are made of this table. */
export const COMMANDS = Object.freeze({
  check: {
    doc: "check policies: what is wrong, where, and how to mend it",
    more: ["Without FILE: the policies that are in force here."],
    args: [{ name: "FILE", doc: "policies to check", many: true }],
    flags: [{ name: "strict", kind: "switch", doc: "warnings count as errors" }, format, help],
    examples: [{ line: "detent check detent.yaml", doc: "findings as `file:line:col: error|warning: message (hint)`" }],
    exits: FOUND,
    broken: 2,
    run: () => import("./check.ts"),
  },
  decide: {
    doc: "run the hooks of one moment and print the verdict",
    more: ["`on` and `phase` are in the event. Prints the hooks' frames, then the verdict."],
    args: [],
    flags: [policy, event, caller, ...SETTING_FLAGS, ...MODEL_FLAGS, cassettes, format, help],
    examples: [
      { line: "detent decide --policy detent.yaml --event event.json", doc: "one moment from a file" },
      { line: "detent decide --event - --caller ci < event.json", doc: "from stdin, asked by `ci`" },
    ],
    exits: DECIDED,
    broken: 1,
    run: () => import("./decide.ts"),
  },
  run: {
    doc: "run a script file with its hooks",
    more: SCRIPT_MORE,
    args: [
      { name: "FILE", doc: "TypeScript or JavaScript; its default export gives the result", required: true },
      { name: "ARGS", doc: "the script's arguments", many: true },
    ],
    flags: scriptFlags,
    examples: [
      { line: "detent run job.ts input.json", doc: "the default export is called with `input.json`" },
      { line: "detent run --on-error 'log.error(result.error.message)' job.ts", doc: "with a line of your own" },
    ],
    exits: SCRIPT,
    broken: 1,
    run: () => import("./script/run.ts"),
  },
  exec: {
    doc: "run a line of code with its hooks",
    more: SCRIPT_MORE,
    args: [
      { name: "CODE", doc: "the body of an async function; `return` gives the result", required: true },
      { name: "ARGS", doc: "the script's arguments", many: true },
    ],
    flags: scriptFlags,
    examples: [{ line: "detent exec 'return script.args.length' a b", doc: "prints 2" }],
    exits: SCRIPT,
    broken: 1,
    run: () => import("./script/exec.ts"),
  },
  call: {
    doc: "call a tool of a server with the hooks in force around it",
    more: [
      "The servers are those of the policy (`servers`). Text: what hooks said on stderr, the tool's answer on stdout.",
    ],
    args: [
      { name: "SERVER/TOOL", doc: "a server of the policy, and one of its tools", required: true },
      { name: "JSON", doc: "the tool's arguments, one object; `-` reads it from stdin; default: {}" },
    ],
    flags: [policy, caller, ...SETTING_FLAGS, ...GATE_FLAGS, ...MODEL_FLAGS, cassettes, format, help],
    examples: [{ line: `detent call fs/read_text_file '{"path":"README.md"}'`, doc: "through every hook on `call`" }],
    exits: { ...DECIDED, 1: "an error: a bad policy, a server that does not answer, a tool that failed" },
    broken: 1,
    run: () => import("./call.ts"),
  },
  mcp: {
    doc: "stand between an MCP client and its servers: every call passes the hooks in force",
    more: [
      "Speaks MCP on stdin and stdout, so that a client starts it in a server's place; what hooks did is told on stderr.",
      "With --port many clients reach it over HTTP; pages of other sites are kept out by their Origin.",
      "With several servers a tool is named `server__tool`; with --server the one server's names are kept.",
    ],
    args: [],
    flags: [
      policy,
      { name: "server", kind: "value", hint: "NAME", doc: "stand in for this server of the policy alone" },
      {
        name: "port",
        kind: "value",
        hint: "N",
        doc: "serve Streamable HTTP on this port of the loopback interface, at /mcp, and not stdin; 0: any free one",
      },
      { name: "frames", kind: "value", hint: "FILE", doc: "add every frame to this file, one JSON object a line" },
      caller,
      ...SETTING_FLAGS,
      ...GATE_FLAGS,
      ...MCP_FLAGS,
      help,
    ],
    examples: [
      { line: "detent mcp --policy detent.yaml", doc: "all servers of the policy behind one" },
      { line: "detent mcp --policy detent.yaml --server fs", doc: "in the place of the server `fs`" },
      { line: "detent mcp --policy detent.yaml --port 3100", doc: "at http://127.0.0.1:3100/mcp" },
    ],
    exits: { 0: "the client has gone, or a signal ended it", 1: "an error before it started" },
    broken: 1,
    run: () => import("./mcp/mcp.ts"),
  },
  serve: {
    doc: "run the daemon: one policy in force for every program of yours that asks it",
    more: [
      "It answers HTTP on a unix socket that only you can open and, with --port, on this machine's loopback address.",
      "Its log goes to stderr, one JSON object a line. SIGTERM lets what is running come to its end; a second ends it at once.",
    ],
    args: [],
    flags: [
      policy,
      { name: "socket", kind: "value", hint: "PATH", doc: "the socket; its folder must belong to you alone" },
      { name: "port", kind: "value", hint: "N", doc: "listen on 127.0.0.1, too: every request needs a token there" },
      ...SETTING_FLAGS,
      ...GATE_FLAGS,
      ...MODEL_FLAGS,
      help,
    ],
    examples: [
      { line: "detent serve --policy detent.yaml", doc: "on your own socket" },
      { line: "detent serve --socket /run/user/1000/detent/daemon.sock", doc: "on a socket that you name" },
    ],
    exits: { 0: "told to stop", 1: "a bad policy, or it cannot listen" },
    broken: 1,
    run: () => import("./serve.ts"),
  },
  test: {
    doc: "run golden cases and compare what hooks did, byte for byte",
    args: [{ name: "DIR", doc: "where NAME.case.yaml files are; default: here" }],
    flags: [
      { name: "update", kind: "switch", doc: "write the goldens; refused where CI is set" },
      {
        name: "live",
        kind: "switch",
        doc: "ask the models themselves and list the verdicts that changed; with --update, record their answers",
      },
      { name: "coverage", kind: "switch", doc: "list hooks that no case fires and ceilings that no case exercises" },
      { name: "watch", kind: "switch", doc: "run again when a case or a policy changes" },
      {
        name: "reporter",
        kind: "value",
        hint: "NAME",
        values: ["text", "junit"],
        doc: "how results are told; junit is XML for CI",
      },
      format,
      help,
    ],
    examples: [
      { line: "detent test cases --coverage", doc: "all cases under cases/" },
      { line: "detent test cases --live --update", doc: "record what models say to the prompts of these cases" },
    ],
    exits: FOUND,
    broken: 2,
    run: () => import("./test.ts"),
  },
  eval: {
    doc: "judge prompt hooks by labelled events: what they say, what it costs, and how often they change their minds",
    more: [
      "DIR holds sets, NAME.eval.yaml. Recordings answer, unless `--live` is given; what is judged is the clamped verdict.",
    ],
    args: [{ name: "DIR", doc: "where NAME.eval.yaml files are, or one of them; default: here" }],
    flags: [
      { ...policy, doc: "judge this policy's prompts in place of the set's own" },
      { name: "live", kind: "switch", doc: "ask the models themselves" },
      { name: "update", kind: "switch", doc: "with --live: record what they say" },
      {
        name: "samples",
        kind: "value",
        hint: "N",
        doc: "judge each event N times and tell how often the verdict flips",
      },
      {
        name: "against",
        kind: "value",
        hint: "WHAT",
        doc: "a second policy, or another model's name, to hold beside the first",
      },
      {
        name: "adversarial",
        kind: "switch",
        doc: "give each hook the answers of a hostile model, and hold what comes of them against a table",
      },
      {
        name: "fail-under",
        kind: "value",
        hint: "PERCENT",
        doc: "exit 1 where a hook says less than this as labelled",
      },
      ...SETTING_FLAGS,
      ...MODEL_FLAGS.filter(({ name }) => name !== "model-cache-ms"),
      format,
      help,
    ],
    examples: [
      { line: "detent eval judges --samples 3", doc: "from recordings, three of each" },
      { line: "detent eval judges --live --against other-model", doc: "two models side by side" },
    ],
    exits: { 0: "judged", 1: "a hook is below --fail-under", 2: "could not be judged" },
    broken: 2,
    run: () => import("./eval.ts"),
  },
  explain: {
    doc: "show at which level each hook is in force, and what decides it",
    args: [],
    flags: [policy, event, caller, host, ...SETTING_FLAGS, format, help],
    examples: [
      { line: "detent explain", doc: "every hook that is in force here" },
      { line: "detent explain --event event.json --hooks-autonomy ask", doc: "and which of them this event concerns" },
    ],
    exits: TOLD,
    broken: 1,
    run: () => import("./explain.ts"),
  },
  points: {
    doc: "list the points that hooks can be on: phases, limits and what a hook receives",
    args: [{ name: "POINT", doc: "one of them; default: all" }],
    flags: [format, help],
    examples: [{ line: "detent points call --format json", doc: "the JSON Schema of what a hook on `call` receives" }],
    exits: TOLD,
    broken: 1,
    run: () => import("./points.ts"),
  },
  schema: {
    doc: "print a JSON Schema: of policies, of golden cases, of sets for `eval`, of a point's events",
    more: [
      "An editor checks a policy as you write it with this first line: `# yaml-language-server: $schema=./detent.schema.json`",
    ],
    args: [
      { name: "WHAT", doc: "policy, case, eval or event", required: true },
      { name: "POINT", doc: "which point's event" },
    ],
    flags: [format, help],
    examples: [
      { line: "detent schema policy > detent.schema.json", doc: "for an editor" },
      { line: "detent schema event call", doc: "what a hook on `call` receives" },
    ],
    exits: TOLD,
    broken: 1,
    run: () => import("./schema.ts"),
  },
  "hooks list": {
    doc: "list the hooks, where they come from, and whether they are in force",
    args: [],
    flags: [policy, ...SETTING_FLAGS, format, help],
    examples: [
      { line: "detent hooks list --policy detent.yaml", doc: "the hooks of one policy and of the layers below it" },
    ],
    exits: TOLD,
    broken: 1,
    run: () => import("./hooks-list.ts"),
  },
  hook: {
    doc: "answer an agent's hook: its event on stdin, our verdict on stdout, in its own words",
    more: [
      "Its configuration names this command. The agent is told by its payload where several read one configuration.",
      "Where Detent itself fails, gets a payload that it cannot read, or has no good policy, `--on-failure` says what happens.",
    ],
    args: [{ name: "AGENT", doc: DIALECT_NAMES.join(", "), required: true }],
    flags: [
      policy,
      {
        name: "event",
        kind: "value",
        hint: "NAME",
        doc: "the agent's name of the event, where its payload does not say it",
      },
      {
        name: "on-failure",
        kind: "value",
        hint: "closed|open",
        values: ["closed", "open"],
        doc: "closed, the default: an event that can be refused is refused; open: it goes on, and the user is told",
      },
      {
        name: "rewrite-grants",
        kind: "switch",
        doc: "let replacements through although the agent takes them for a grant, or may discard them",
      },
      {
        name: "timeout",
        kind: "value",
        hint: "SECONDS",
        doc: "the time that the agent's configuration gives this hook; default: the agent's own",
      },
      caller,
      ...SETTING_FLAGS,
      ...MODEL_FLAGS,
      cassettes,
      help,
    ],
    examples: [{ line: "detent hook claude-code --policy detent.yaml", doc: "as a hook of .claude/settings.json" }],
    exits: { 0: "answered", 2: "refused, or closed where Detent failed" },
    broken: 2,
    run: () => import("./hook.ts"),
  },
  "hook test": {
    doc: "run one hook on an event and show what it did",
    args: [{ name: "NAME", doc: "the hook's id", required: true }],
    flags: [policy, event, caller, host, ...SETTING_FLAGS, ...MODEL_FLAGS, cassettes, format, help],
    examples: [{ line: "detent hook test no-secrets --event event.json", doc: "its matcher and condition count, too" }],
    exits: DECIDED,
    broken: 1,
    run: () => import("./hook-test.ts"),
  },
  trust: {
    doc: "trust the project's policy as it is now, so that all of it is in force",
    more: ["Any change of the file takes the trust away again."],
    args: [{ name: "FILE", doc: "default: the project's own policy, nearest upward" }],
    flags: [format, help],
    examples: [{ line: "detent trust", doc: "records the file's hash and says what it may do now" }],
    exits: TOLD,
    broken: 1,
    run: () => import("./trust.ts"),
  },
  completion: {
    doc: "print a completion script for your shell",
    args: [{ name: "SHELL", doc: "bash, zsh or fish", required: true }],
    flags: [help],
    examples: [
      { line: 'eval "$(detent completion bash)"', doc: "in ~/.bashrc" },
      { line: 'eval "$(detent completion zsh)"', doc: "in ~/.zshrc, after compinit" },
      { line: "detent completion fish | source", doc: "in config.fish" },
    ],
    exits: TOLD,
    broken: 1,
    run: () => import("./completion.ts"),
  },
  help: {
    doc: "show what a command does and takes",
    args: [{ name: "COMMAND", doc: "default: all commands", many: true }],
    flags: [help],
    examples: [{ line: "detent help decide", doc: "the same as `detent decide --help`" }],
    exits: TOLD,
    broken: 1,
    run: () => import("./help.ts"),
  },
} as const satisfies Record<string, Command>)
