import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionTally, Octets, RouteOctets, RouteTally, Tally, Window } from "../ledger/tally.ts";
import { Redactor } from "./redact.ts";
import { summaryText, sumsClose } from "./summary.ts";
import { createTheme } from "./theme.ts";

/** WIRE-TRUTH's small item over node http: 227 octets there, 184 back, in ten calls. */
const C2S = octets({ "http1.field_line.value": 1520, "body.text": 750 }, { headers: 1520, payload: 750 });
const S2C = octets({ "http1.field_line.value": 1090, "body.text": 750 }, { headers: 1090, payload: 750 });

function octets(by_category: Octets["by_category"], by_cause: Octets["by_cause"], pending = 0): Octets {
  const sum = Object.values(by_category).reduce((total, count) => total + (count ?? 0), 0);
  return { octets: sum + pending, pending, deltas: null, by_category, by_cause, decoded: null };
}

function window(exclusive: number): Window {
  const none = { ping: 0, ping_ack: 0, window_update: 0, settings: 0 };
  return {
    calls: 8,
    exclusive,
    stream_flow: 0,
    connection: 12,
    setup: 0,
    edges: "closed",
    own: { min: 1, median: 1, max: 1 },
    frames: none,
  };
}

function route(name: string, calls: number, c2s: RouteOctets, s2c: RouteOctets): RouteTally {
  return { protocol: "http1", route: name, calls, c2s, s2c };
}

function side(exclusive: number, warm: Window | null): RouteOctets {
  return { octets: exclusive, by_category: {}, by_cause: {}, exclusive, stream_flow: 0, cold: null, warm };
}

function tally(rest: Partial<Tally> = {}): Tally {
  return {
    schema: "wiretally.tally/1",
    generator: { name: "wiretally", version: "0.1.0" },
    source: { kind: "proxy", listeners: [], files: [] },
    started: "2026-11-30T12:00:00.000000000Z",
    ended: "2026-11-30T12:00:02.500000000Z",
    totals: { c2s: C2S, s2c: S2C },
    omitted: { connections: 0, exchanges: 0, messages: 0, routes: 0, field_names: 0, notes: 0 },
    connections: [],
    routes: [route("POST /item", 10, side(2270, window(1804)), side(1840, window(1472)))],
    ...rest,
  };
}

const shown = (document: Tally): string => summaryText(document, createTheme(0), new Redactor());

test("causes, routes and the closing line", () => {
  assert.equal(
    shown(tally()),
    [
      "0 connections, 10 exchanges in 2.5 s: 2270 octets c2s, 1840 octets s2c",
      "",
      "octets by cause   c2s     %   s2c     %  share of both",
      // 2610 of 4110 octets are 15.24 of 24 cells, 1500 are 8.76.
      "headers          1520  67.0  1090  59.2  ███████████████▎",
      "payload           750  33.0   750  40.8  ████████▊",
      "total            2270        1840",
      "",
      "                                       exclusive  warm, amortised   total",
      "routes, octets per call         calls   c2s   s2c     c2s       s2c  octets",
      // (1804 + 0 + 12) / 8 = 227; (1472 + 12) / 8 = 185.5
      "POST /item               http1     10   227   184     227    185.50    4110",
      "",
      "sums close: 2270 + 1840 = 4110 octets, all attributed",
      "",
    ].join("\n"),
  );
});

test("a sum that does not close is said, and so are octets without a meaning", () => {
  const broken = tally({ totals: { c2s: { ...C2S, octets: 2271 }, s2c: S2C } });
  assert.equal(sumsClose(tally()), true);
  assert.equal(sumsClose(broken), false);
  assert.match(shown(broken), /\nthe sums do not close: /);
  const opaque = octets({ "unattributed.opaque": 5 }, { unattributed: 5 }, 3);
  assert.match(
    shown(tally({ totals: { c2s: opaque, s2c: S2C } })),
    /\nsums close: 8 \+ 1840 = 1848 octets, 5 octets unattributed, 3 octets pending\n$/,
  );
});

test("a connection whose own sums are wrong does not close either", () => {
  const connection = { c2s: { ...C2S, by_cause: { headers: 1 } }, s2c: S2C } as ConnectionTally;
  assert.equal(sumsClose(tally({ connections: [connection] })), false);
});

test("at most 60 routes, the dearest ones; secrets and escapes are not shown", () => {
  const routes = Array.from({ length: 63 }, (_, index) => route(`GET /r${index}`, 1, side(index, null), side(0, null)));
  const text = shown(tally({ routes: [...routes, route("GET /\u001b[2J?token=abc", 1, side(900, null), side(0, null))] }));
  assert.equal(text.match(/GET \/r\d/g)?.length, 59);
  assert.match(text, /… and 4 more routes: --json FILE has all/);
  assert.match(text, /GET \/\\x1b\[2J\?token=\[redacted 3 octets\]/);
});

test("notes by severity and code, undelivered octets, and what lists left out", () => {
  const note = { direction: "c2s", offset: 0, ref: null, text: "" } as const;
  const connection = {
    c2s: C2S,
    s2c: S2C,
    undelivered: { c2s: 7, s2c: 0 },
    fields: { c2s: [], s2c: [] },
    exchanges: [],
    notes: [
      { ...note, code: "opaque", severity: "info" },
      { ...note, code: "te-and-cl", severity: "violation" },
      { ...note, code: "te-and-cl", severity: "violation" },
    ],
  } as unknown as ConnectionTally;
  const text = shown(tally({ connections: [connection], omitted: { ...tally().omitted, field_names: 3 } }));
  const notes = text.split("\n\n").at(-1);
  assert.deepEqual(notes?.split("\n").slice(0, 4), [
    "2 violation notes: te-and-cl 2",
    "1 info note: opaque 1",
    "lists left out: 3 field names (totals are exact)",
    "undelivered: 7 octets were read and never accepted by the other side",
  ]);
});

test("no traffic at all is a short text", () => {
  const none = octets({}, {});
  assert.equal(
    shown(tally({ totals: { c2s: none, s2c: none }, routes: [] })),
    "0 connections, 0 exchanges in 2.5 s: 0 octets c2s, 0 octets s2c\n\nsums close: 0 + 0 = 0 octets, all attributed\n",
  );
});
