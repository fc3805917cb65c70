import assert from "node:assert/strict";
import { test } from "node:test";
import { C2S, S2C } from "../../decode/direction.ts";
import { Ledger } from "../../ledger/ledger.ts";
import type { LedgerListener } from "../../ledger/listener.ts";
import type { Tally } from "../../ledger/tally.ts";
import { ConnectionSelection } from "./connection-selection.ts";
import { parseFilter } from "./filter.ts";
import { FilteredListener } from "./filtered-listener.ts";

const SILENT: LedgerListener = {
  detail: 0,
  messages: false,
  connection() {},
  unit() {},
  message() {},
  exchange() {},
  note() {},
  close() {},
};

/** Two connections: three requests, of which the last is still open, and one. */
function counted(listener: LedgerListener): Tally {
  const ledger = new Ledger({ kind: "proxy", generator: { name: "test", version: "0" }, startedNs: 0n, listener });
  const get = (path: string, agent: string): Uint8Array =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${agent}\r\n\r\n`);
  const answer = (status: number): Uint8Array => Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nok`);
  const [one, two] = [1, 2].map(() => ledger.open({ listener: "a", client: "", server: "" }, 0));
  one?.delta(C2S, get("/a", "curl"), 1);
  one?.delta(S2C, answer(200), 2);
  one?.delta(C2S, get("/b", "wget"), 3);
  one?.delta(S2C, answer(500), 4);
  one?.delta(C2S, get("/c", "curl"), 5);
  two?.delta(C2S, get("/d", "wget"), 6);
  two?.delta(S2C, answer(200), 7);
  two?.close({ by: "client", how: "fin", code: null, order: ["client", "server"] }, 8);
  return ledger.tally(9);
}

function selected(expression: string): { readonly paths: (string | null)[]; readonly tally: Tally; readonly whole: Tally } {
  const listener = new FilteredListener(parseFilter(expression), SILENT);
  const whole = counted(listener);
  const tally = listener.select(whole);
  return { paths: tally.connections.flatMap(({ exchanges }) => exchanges.map(({ path }) => path)), tally, whole };
}

test("the tally lists what matches, open exchanges included; sums stay, the others are counted as left out", () => {
  const { paths, tally, whole } = selected("status == 200");
  assert.deepEqual(paths, ["/a", "/d"]);
  assert.deepEqual([tally.omitted.exchanges, whole.omitted.exchanges], [2, 0]);
  assert.deepEqual([tally.totals, tally.routes], [whole.totals, whole.routes]);
  assert.deepEqual(
    tally.connections.map(({ c2s, exchanges: _, ...rest }) => [c2s, rest.s2c]),
    whole.connections.map(({ c2s, s2c }) => [c2s, s2c]),
  );
  assert.deepEqual(selected('path == "/c"').paths, ["/c"]);
  assert.deepEqual(selected('conn == "c2"').paths, ["/d"]);
  assert.deepEqual(selected('type == "DATA"').paths, []);
});

test("header() is known of exchanges that are over, and of those that are not", () => {
  assert.deepEqual(selected('header("user-agent") == "curl"').paths, ["/a", "/c"]);
  assert.deepEqual(selected('header("user-agent") != "curl"').paths, ["/b", "/d"]);
  assert.deepEqual(selected('header("x") != "curl"').paths, []);
});

test("a selection of connections: those of which anything matches, be it a unit", () => {
  const chosen = (expression: string): boolean[] => {
    const selection = new ConnectionSelection(parseFilter(expression));
    counted(selection);
    return ["c1", "c2"].map((id) => selection.has(id));
  };
  assert.deepEqual(chosen("status == 500"), [true, false]);
  assert.deepEqual(chosen('dir == "s2c" && path == "/d"'), [false, true]);
  assert.deepEqual(chosen("status == 404"), [false, false]);
});
