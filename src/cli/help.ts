/** What stands below every help page. */
export const EPILOGUE = `Exit codes: 0 done (SIGINT and SIGTERM included), 1 failed while running, 2 bad usage, 4 --strict failed; 2 goes before 1, 1 before 4.

Every option is also an environment variable (--idle-timeout: WIRETALLY_IDLE_TIMEOUT) and a key of --config FILE, where "redact" adds names of secret fields. Durations: 30s, 500ms, 2m; a plain number is seconds.

Memory is bounded: 1 MiB of one field block is decoded, 256 KiB of its fields shown; the newest 10,000 exchanges and 10,000 closed connections are listed, 1,000 messages an exchange, 1,000 routes, field names and notes. What goes beyond is counted all the same and says so. A trace reader too slow by 16 MiB misses lines, never the tally.`;

/** Command and explanation, for the help pages. */
export const EXAMPLES: Readonly<Record<string, readonly (readonly [command: string, explanation: string])[]>> = {
  wiretally: [
    ["$0 demo", "gRPC against JSON, octet by octet"],
    ["$0 proxy -L 8080:127.0.0.1:50051", "relay 8080 to a server, print a line per call"],
    ["$0 proxy -L 8080:127.0.0.1:50051 -vv", "print every frame and field line"],
    ["$0 schema tally", "the JSON Schema of the tally"],
  ],
  proxy: [
    ["$0 proxy -L 8080:127.0.0.1:50051", "a line per call, the summary at the end"],
    ["$0 proxy -L api=0:[::1]:9000 -L db=5000:/run/db.sock --trace frames", "two listeners, one on a free port"],
    ["$0 proxy -L 8080:10.0.0.7:80 -q --json tally.json --interval 10s", "no trace, a fresh tally every 10 s"],
    ["$0 proxy -L 8080:127.0.0.1:50051 --format ndjson | jq .", "events as they happen"],
    ["$0 proxy -L 8080:127.0.0.1:50051 -c 1 --strict --json -", "one connection, then the tally"],
  ],
  serve: [["$0 serve --grpc-port 0", "demo servers, gRPC on a free port"]],
  demo: [
    ["$0 demo", "the byte table of gRPC against JSON"],
    ["$0 demo --sizes small --calls 10 --json demo.json", "a quick one, with its tally"],
  ],
  schema: [["$0 schema event > event.schema.json", "for the lines of --format ndjson"]],
};
