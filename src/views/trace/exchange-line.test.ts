import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExchangeTally, Octets } from "../../ledger/tally.ts";
import { cells } from "../columns.ts";
import { Redactor } from "../redact.ts";
import { TextRedactor } from "../redact-text.ts";
import { createTheme } from "../theme.ts";
import { exchangeLine } from "./exchange-line.ts";

const octets = (count: number): Octets => ({ octets: count }) as Octets;
const CALL = {
  id: "c1.s1",
  protocol: "grpc",
  method: "POST",
  path: "/item.v1.ItemService/Echo",
  status: 200,
  grpc_status: 0,
  complete: true,
  duration_us: 1234,
  c2s: octets(71),
  s2c: octets(59),
} as ExchangeTally;
const line = (rest: Partial<ExchangeTally>): string =>
  exchangeLine({ ...CALL, ...rest }, new TextRedactor(new Redactor()), createTheme(0));

test("octets and durations stay in line, whatever the request and the status", () => {
  const plain = line({});
  const table: Partial<ExchangeTally>[] = [
    { grpc_status: 12 },
    { grpc_status: 9, complete: false },
    { status: null, grpc_status: null, complete: false },
    { path: `/google.firestore.v1.Firestore/${"Long".repeat(20)}` },
    { path: `/search?token=${"s".repeat(300)}&page=7` },
    { path: "/漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字" },
    { id: "c12.s20001", protocol: "http1" },
    { method: null, path: null, duration_us: null },
  ];
  for (const rest of table) {
    const text = line(rest);
    const before = (whole: string): number => cells(whole.slice(0, whole.indexOf("c2s  ")));
    if (rest.id === undefined) assert.equal(before(text), before(plain), text);
    if (rest.id === undefined) assert.equal(cells(text), cells(plain), text);
  }
});

test("a call that failed keeps its whole request, and so does one with a short status", () => {
  assert.equal(
    line({ grpc_status: 12 }),
    "c1.s1      grpc    POST /item.v1.ItemService/Echo  200 grpc UNIMPLEMENTED  c2s     71  s2c     59     1.234 ms",
  );
  assert.equal(
    line({ path: "/item.v1.ItemService/EchoAgain-12345" }),
    "c1.s1      grpc    POST /item.v1.ItemService/EchoAgain-12345  200 grpc OK  c2s     71  s2c     59     1.234 ms",
  );
});

test("a long request is cut in its middle", () => {
  // 41 cells are left by `200 grpc OK`.
  const text = line({ path: "/google.firestore.v1.Firestore/BatchGetDocuments" });
  assert.match(text, / POST \/google\.firesto…re\/BatchGetDocuments {2}200 grpc OK {2}c2s/);
});
