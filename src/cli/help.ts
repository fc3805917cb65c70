const EPILOGUE = `Exit codes: 0 done (SIGINT and SIGTERM included), 1 failed while running, 2 bad usage, 4 --strict failed; 2 goes before 1, 1 before 4.

Every option is also an environment variable (--idle-timeout: WIRETALLY_IDLE_TIMEOUT) and a key of --config FILE, where "redact" adds names of secret fields. Durations: 30s, 500ms, 2m; a plain number is seconds.

Memory is bounded: 1 MiB of one field block is decoded, 256 KiB of its fields shown; the newest 10,000 exchanges and 10,000 closed connections are listed, 1,000 messages an exchange, 1,000 routes, field names and notes. What goes beyond is counted all the same and says so. A trace reader too slow by 16 MiB misses lines, never the tally.`;

/** Command and explanation, by the page on which they stand. */
const EXAMPLES: ReadonlyMap<string, readonly (readonly [command: string, explanation: string])[]> = new Map([
  [
    "wiretally",
    [
      ["wiretally demo", "gRPC against JSON, octet by octet"],
      ["wiretally proxy -L 8080:127.0.0.1:50051", "relay 8080 to a server, print a line per call"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 -vv", "print every frame and field line"],
      ["wiretally schema tally", "the JSON Schema of the tally"],
    ],
  ],
  [
    "proxy",
    [
      ["wiretally proxy -L 8080:127.0.0.1:50051", "a line per call, then the summary"],
      ["wiretally proxy -L api=0:[::1]:9000 -L db=5000:/run/db.sock -v", "two listeners, every frame"],
      ["wiretally proxy -L 8080:10.0.0.7:80 -q --json t.json --interval 10s", "a fresh tally every 10 s"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 --format ndjson | jq .", "events as they happen"],
      ["wiretally proxy -L 8080:127.0.0.1:50051 -c 1 --strict --json -", "one connection, its tally"],
    ],
  ],
  ["serve", [["wiretally serve --grpc-port 0", "demo servers, gRPC on a free port"]]],
  [
    "demo",
    [
      ["wiretally demo", "the byte table of gRPC against JSON"],
      ["wiretally demo --sizes small --calls 10 --json demo.json", "a quick one, with its tally"],
    ],
  ],
  ["schema", [["wiretally schema event > event.schema.json", "for the lines of --format ndjson"]]],
]);

/** What stands below a help page. @param page a command, or `wiretally`. */
export function helpFooter(page: string): string {
  const examples = EXAMPLES.get(page) ?? [];
  const width = Math.max(...examples.map(([command]) => command.length));
  const lines = examples.map(([command, explanation]) => `  ${command.padEnd(width)}  # ${explanation}`);
  return ["Examples:", ...lines, "", EPILOGUE].join("\n");
}
