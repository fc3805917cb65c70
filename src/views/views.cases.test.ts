import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Case, caseIds, loadCase } from "../../test/cases.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { C2S } from "../decode/direction.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { LedgerListener } from "../ledger/listener.ts";
import type { Tally } from "../ledger/tally.ts";
import { escapeText } from "./escape.ts";
import { eventJsonSchema } from "./event-schema.ts";
import { NdjsonStream } from "./ndjson.ts";
import { Redactor } from "./redact.ts";
import { summaryText } from "./summary.ts";
import { tallyJson } from "./tally-json.ts";
import { tallyJsonSchema } from "./tally-schema.ts";
import { createTheme } from "./theme.ts";
import type { TraceLevel } from "./trace/levels.ts";
import { Trace } from "./trace/trace.ts";

const STARTED_NS = 1_700_000_000_000_000_000n;
/** Control characters, C1 included, and bidi controls. */
const FORBIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const skip = skipWithoutShared("cases");

/** A case's turns through a ledger, in reads of at most `size` octets; all at one moment. */
function replay(found: Case, listener: LedgerListener, size: number): Tally {
  const ledger = new Ledger({
    kind: "proxy",
    generator: { name: "wiretally", version: "0.0.0" },
    startedNs: STARTED_NS,
    listener,
  });
  const connection = ledger.open({ listener: "l1", client: "127.0.0.1:1", server: "127.0.0.1:2" }, 0);
  for (const { direction, start, end } of found.turns) {
    for (let at = start; at < end; at += size)
      connection.delta(direction, found.octets[direction].subarray(at, Math.min(at + size, end)), 0);
  }
  connection.close({ by: "client", how: "fin", code: null, order: ["client", "server"] }, 0);
  return ledger.tally(0);
}

function traceOf(found: Case, level: TraceLevel, size = 65536, redactor = new Redactor()): string {
  let text = "";
  const write = (lines: string): void => {
    text += lines;
  };
  replay(
    found,
    new Trace({ level, time: "rel", notes: true, redactor, theme: createTheme(0), startedNs: STARTED_NS, write }),
    size,
  );
  return text;
}

function eventsOf(found: Case, size = 65536, redactor = new Redactor()): string[] {
  const lines: string[] = [];
  replay(found, new NdjsonStream({ redactor, startedNs: STARTED_NS, write: (line) => lines.push(line) }), size);
  return lines;
}

const AREAS = ["V-H1", "V-H2", "V-HP", "V-GR", "V-SE", "V-TLS"];
/** Small ones: the floods among the cases are others' tests. */
const cases = (): Case[] =>
  AREAS.flatMap(caseIds)
    .map(loadCase)
    .filter(({ octets }) => octets[0].length + octets[1].length > 0 && octets[0].length + octets[1].length < 20_000);

test("trace and NDJSON do not depend on how the octets were cut", { skip }, () => {
  for (const found of cases()) {
    const [trace, events] = [traceOf(found, "octets"), eventsOf(found)];
    for (const size of [1, 3, 64]) {
      assert.equal(traceOf(found, "octets", size), trace, `${found.id} in reads of ${size}`);
      assert.deepEqual(eventsOf(found, size), events, `${found.id} in reads of ${size}`);
    }
  }
});

test("no view of any case holds what a terminal would act on, and every line of it is one", { skip }, () => {
  for (const found of cases()) {
    for (const level of ["exchanges", "octets"] as const) {
      const text = traceOf(found, level, 65536, new Redactor({ showSecrets: true }));
      for (const line of text.split("\n"))
        assert.equal(escapeText(line).replaceAll("\\x5c", "\\"), line.replaceAll("\\x5c", "\\"), found.id);
    }
    const tally = replay(found, new NdjsonStream({ redactor: new Redactor(), startedNs: STARTED_NS, write: () => {} }), 65536);
    for (const text of [summaryText(tally, createTheme(0), new Redactor()), tallyJson(tally, new Redactor())]) {
      assert.doesNotMatch(text.replaceAll("\n", ""), FORBIDDEN, found.id);
    }
  }
});

test("V-SE-05: escapes in URL and headers are visible as text", { skip }, () => {
  const found = loadCase("V-SE-05");
  const trace = traceOf(found, "fields");
  assert.match(trace, /\\x1b/);
  assert.doesNotMatch(trace.replaceAll("\n", ""), FORBIDDEN);
});

test("V-GR-04: grpc-message is decoded beside its wire value, and never fails", { skip }, () => {
  const trace = traceOf(loadCase("V-GR-04"), "fields").split("\n");
  const shown = (wire: string): string | undefined => {
    const at = trace.findIndex((line) => line.includes(`grpc-message: ${wire} `));
    assert.ok(at >= 0, wire);
    return /^ +; says: (.*)$/.exec(trace[at + 1] ?? "")?.[1];
  };
  assert.equal(shown("caf%C3%A9 100%25 done"), "caf\u00e9 100% done");
  assert.equal(shown("50% off"), undefined);
  assert.ok(["bad \ufffd tail", "bad \ufffd\ufffd tail", "bad %E4%B8 tail"].includes(shown("bad %E4%B8 tail") ?? ""));
  assert.equal(shown("raw \u00e9"), undefined);
});

test("V-HP-04: cookies and never-indexed values are in no view", { skip }, () => {
  const found = loadCase("V-HP-04");
  const secrets = new Set<string>();
  const collect: LedgerListener = {
    ...{ detail: 2, messages: false, connection() {}, message() {}, exchange() {}, note() {}, close() {} },
    unit: (_, unit) => {
      for (const { name, value, neverIndexed } of unit.fields) {
        if (value !== null && neverIndexed) secrets.add(value);
        if (value !== null && name === "cookie") secrets.add(value.slice(value.indexOf("=") + 1));
      }
    },
  };
  replay(found, collect, 65536);
  const telling = [...secrets].filter((secret) => secret.length >= 4);
  assert.ok(telling.length > 0);
  const text = `${traceOf(found, "octets")}${eventsOf(found).join("")}`;
  for (const secret of telling) {
    assert.ok(!text.includes(secret), secret);
    assert.ok(
      !text.includes(
        Buffer.from(secret, "latin1")
          .toString("hex")
          .replaceAll(/..(?=.)/g, "$& "),
      ),
      secret,
    );
  }
});

test("documents of a capture are valid by their schemas: packets, holes, and a connection that nobody closed", () => {
  const lines: string[] = [];
  const listener = new NdjsonStream({ redactor: new Redactor(), startedNs: STARTED_NS, write: (line) => lines.push(line) });
  const ledger = new Ledger({
    kind: "capture",
    generator: { name: "wiretally", version: "0.0.0" },
    startedNs: STARTED_NS,
    listener,
    files: ["a.pcap"],
  });
  const side = {
    ...{ packets: 1, payload_packets: 1, payload_octets: 4, retransmitted_octets: 0, missing_octets: 9, out_of_order: 0 },
    ...{ header_octets: { link: 14, ip: 20, tcp: 20 }, acks: 0, syn: 0, fin: 0, rst: 0 },
  };
  const facts = { listener: "", client: "192.0.2.1:1", server: "192.0.2.2:80" };
  const connection = ledger.open(facts, 0, { late: [true, false], packets: () => ({ c2s: side, s2c: side }) });
  connection.delta(C2S, Uint8Array.of(1, 2, 3, 4), 0);
  connection.gap(C2S, 9, 0);
  connection.close(null, 0);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  const validTally = ajv.compile(tallyJsonSchema() as object);
  const validEvent = ajv.compile(eventJsonSchema() as object);
  assert.ok(validTally(JSON.parse(tallyJson(ledger.tally(0), new Redactor()))), ajv.errorsText(validTally.errors));
  for (const line of lines) assert.ok(validEvent(JSON.parse(line)), `${ajv.errorsText(validEvent.errors)} ${line}`);
  const { by, how, code, order } = JSON.parse(lines.at(-1) ?? "") as Record<string, unknown>;
  assert.deepEqual([by, how, code, order], [null, null, null, []]);
});

test("documents of every case are valid by their schemas, as ajv reads them", { skip }, () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  const validTally = ajv.compile(tallyJsonSchema() as object);
  const validEvent = ajv.compile(eventJsonSchema() as object);
  for (const found of cases()) {
    const lines: string[] = [];
    const tally = replay(
      found,
      new NdjsonStream({ redactor: new Redactor(), startedNs: STARTED_NS, write: (line) => lines.push(line) }),
      65536,
    );
    assert.ok(validTally(JSON.parse(tallyJson(tally, new Redactor()))), `${found.id} ${ajv.errorsText(validTally.errors)}`);
    for (const line of lines) assert.ok(validEvent(JSON.parse(line)), `${found.id} ${ajv.errorsText(validEvent.errors)} ${line}`);
  }
  assert.ok(!validTally({ schema: "wiretally.tally/1" }));
  assert.ok(!validEvent({ schema: "wiretally.event/1", event: "frame" }));
});
