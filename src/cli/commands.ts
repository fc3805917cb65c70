import { COMMON_FLAGS, DEMO_FLAGS, type Flags, PROXY_FLAGS, READ_FLAGS, SERVE_FLAGS } from "./flags.ts";

/** One command: how it is called, and what its page of the help says. */
export interface Command {
  /** The command's words as yargs takes them. */
  readonly usage: string;
  readonly describe: string;
  /** Its own options, without those of every command. */
  readonly flags: Flags;
  readonly examples: readonly (readonly [command: string, explanation: string])[];
}

/** Every command, in the order of the help. */
export const COMMANDS = {
  proxy: {
    usage: "proxy",
    describe: "listen, relay, and count every octet",
    flags: PROXY_FLAGS,
    examples: [
      ["wiretally proxy -L 8080:127.0.0.1:50051", "a line per call, then the summary"],
      ["wiretally proxy -L api=0:[::1]:9000 -L db=5000:/run/db.sock -v", "two listeners, every frame"],
      ["wiretally proxy -L 8080:10.0.0.7:80 -q --json t.json --interval 10s", "a fresh tally every 10 s"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 --format ndjson | jq .", "events as they happen"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 -c 1 --strict --json -", "one connection, its tally"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 -w x.pcapng", "a capture beside it, for Wireshark"],
    ],
  },
  read: {
    usage: "read [file..]",
    describe: "count every octet of captures: pcap, pcapng, compressed too; - is standard input",
    flags: READ_FLAGS,
    examples: [
      ["wiretally read trace.pcapng", "a line per call, then the summary"],
      ["tcpdump -U -w - port 50051 | wiretally read -", "as it happens"],
      ["wiretally read ring-*.pcapng -q --json tally.json", "several files as one capture, in the order of time"],
      ["wiretally read trace.pcapng -v -Y 'type == \"RST_STREAM\"'", "the frames that match"],
      ["wiretally read old.pcap.gz --first 90s --last 2m -w part.pcapng", "a part of it, as pcapng"],
      ["wiretally read trace.pcapng --follow c1.s3 -o body.bin", "one response's body"],
    ],
  },
  serve: {
    usage: "serve",
    describe: "the demo servers: gRPC, HTTP/1.1 JSON, HTTP/2 JSON",
    flags: SERVE_FLAGS,
    examples: [["wiretally serve --grpc-port 0", "demo servers, gRPC on a free port"]],
  },
  demo: {
    usage: "demo",
    describe: "servers, proxy and clients in one go: gRPC against JSON",
    flags: DEMO_FLAGS,
    examples: [
      ["wiretally demo", "what a call costs, and what the difference is made of"],
      ["wiretally demo --bridge http2", "against JSON over HTTP/2"],
      ["wiretally demo --sizes small --calls 10 --json tally.json", "a quick one, with its tally"],
      ["wiretally demo -o demo.json", "figures and bridges as JSON, the tables on stdout"],
    ],
  },
  schema: {
    usage: "schema <name>",
    describe: "print the JSON Schema of a document: tally, event or demo",
    flags: {},
    examples: [["wiretally schema event > event.schema.json", "for the lines of --format ndjson"]],
  },
  completion: {
    usage: "completion [shell]",
    describe: "print a completion script for bash or zsh (default: that of $SHELL)",
    flags: {},
    examples: [["wiretally completion bash >> ~/.bashrc", "complete in every new shell"]],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

/** Whether there is a command of that name. */
export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(COMMANDS, word);
}

/** Names of the options that a command takes; without one, those that every command takes. */
export function optionNames(command: CommandName | undefined): string[] {
  const own = command === undefined ? {} : COMMANDS[command].flags;
  return [...Object.keys(own), ...Object.keys(COMMON_FLAGS), "help", "version"];
}
