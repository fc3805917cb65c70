// The steps that need a program from outside: skipped when it is missing, or failed where nothing may skip.
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { NODE_SOURCE } from "./command.mjs";
import { peerTestFiles } from "./test-files.mjs";
import { runTests } from "./test-process.mjs";

const PEER_MS = 300_000;

/** Programs that a peer test cannot do without, by the test's file name; the argument makes each of them exit at once. */
const PROGRAMS = {
  capture: [
    ["tshark", "--version"],
    ["editcap", "--version"],
    ["capinfos", "--version"],
    ["curl", "--version"],
  ],
  curl: [["curl", "--version"]],
  nghttp: [
    ["nghttp", "--version"],
    ["nghttpd", "--version"],
  ],
  h2load: [
    ["h2load", "--version"],
    ["nghttpd", "--version"],
  ],
  tshark: [
    ["dumpcap", "--version"],
    ["tshark", "--version"],
  ],
  "grpc-python": [["/usr/bin/python3", "-c", "import grpc"]],
  tls: [
    ["openssl", "version"],
    ["curl", "--version"],
  ],
};

/** @returns {import("./steps.mjs").Step[]} one step a test file: its clocks and captures want the machine for themselves */
export function peerSteps() {
  return peerTestFiles().map((file) => {
    const peer = basename(file, ".test.ts");
    return { name: `peers:${peer}`, alone: true, run: () => runPeer(peer, file) };
  });
}

async function runPeer(peer, file) {
  const missing = (PROGRAMS[peer] ?? []).find(([program, ...args]) => spawnSync(program, args, { stdio: "ignore" }).status !== 0);
  if (missing === undefined) return runTests(["node", ...NODE_SOURCE], [file], { timeoutMs: PEER_MS });
  const reason = missing[1] === "-c" ? "python3-grpcio is not installed" : `${missing[0]} is not installed`;
  if (process.env.WIRETALLY_REQUIRE_ALL === "1")
    return { outcome: "failed", reason, totals: { passed: 0, failed: 1, skipped: 0 } };
  return { outcome: "skipped", reason, totals: { passed: 0, failed: 0, skipped: 1 } };
}
