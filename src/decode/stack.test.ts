import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { everyCutOf, replay, type Transcript } from "../../test/replay.ts";
import { C2S, type Direction, S2C } from "./direction.ts";
import { PARKED_CAP } from "./stack.ts";

const SETTINGS = "\x00\x00\x00\x04\x00\x00\x00\x00\x00";
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/** RFC 7541: `:method GET`, `:scheme http`, `:path /`, on stream 1 with END_STREAM and END_HEADERS. */
const GET_STREAM_1 = "\x00\x00\x03\x01\x05\x00\x00\x00\x01\x82\x86\x84";
const OK_STREAM_1 = "\x00\x00\x01\x01\x05\x00\x00\x00\x01\x88";
const PROXY = "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n";

/** Turns as octet strings: `[C2S, "GET …"]`. */
function talk(...turns: (readonly [Direction, string])[]): Transcript {
  const octets = [Buffer.alloc(0), Buffer.alloc(0)] as [Buffer, Buffer];
  const list = turns.map(([direction, text]) => {
    const start = octets[direction].length;
    octets[direction] = Buffer.concat([octets[direction], Buffer.from(text, "latin1")]);
    return { direction, start, end: octets[direction].length };
  });
  return { octets, turns: list };
}

/** What each run of octets was, and whose; the same at every cut. */
function runs(transcript: Transcript): [string[], string[]] {
  const of = (cuts?: Parameters<typeof replay>[1]) => {
    const sink = replay(transcript, cuts, 1);
    return sink.runs.map((side) =>
      side
        .map((run) => `${run.category.replace(/^(h2|http1)\..*$/, "$1")} ${run.exchange}`)
        .filter((run, at, all) => run !== all[at - 1]),
    );
  };
  const whole = of();
  for (const cuts of everyCutOf(transcript)) assert.deepEqual(of(cuts), whole);
  return whole as [string[], string[]];
}

const UPGRADE = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`;
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

describe("Stack", () => {
  test("a PROXY header, then HTTP/2, to a server that speaks first", () => {
    for (const transcript of [
      talk(
        [C2S, PROXY.slice(0, 9)],
        [S2C, SETTINGS],
        [C2S, `${PROXY.slice(9)}${PREFACE}${SETTINGS}${GET_STREAM_1}`],
        [S2C, OK_STREAM_1],
      ),
      talk([S2C, SETTINGS], [C2S, `${PROXY}${PREFACE}${SETTINGS}${GET_STREAM_1}`], [S2C, OK_STREAM_1]),
      talk([C2S, `${PROXY}${PREFACE}${SETTINGS}${GET_STREAM_1}`], [S2C, `${SETTINGS}${OK_STREAM_1}`]),
    ]) {
      assert.deepEqual(runs(transcript), [
        ["proxy.header null", "h2 null", "h2 c1.s1"],
        ["h2 null", "h2 c1.s1"],
      ]);
      const { exchanges } = replay(transcript);
      assert.deepEqual(
        exchanges.map(({ id, path, status, complete }) => [id, path, status, complete]),
        [["c1.s1", "/", 200, true]],
      );
    }
  });

  test("octets that begin like a PROXY header and are none", () => {
    assert.deepEqual(runs(talk([C2S, "PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n"], [S2C, OK])), [["http1 c1.r1"], ["http1 c1.r1"]]);
    assert.deepEqual(runs(talk([C2S, "PR"])), [["unattributed.truncated null"], []]);
  });

  test("an upgraded session is its exchange until both directions end", () => {
    const transcript = talk(
      [C2S, UPGRADE("/ws")],
      [S2C, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello"],
      [C2S, "more"],
      [S2C, "last"],
    );
    assert.deepEqual(runs(transcript), [
      ["http1 c1.r1", "unattributed.opaque c1.r1"],
      ["http1 c1.r1", "unattributed.opaque c1.r1"],
    ]);
    const sink = replay(transcript);
    assert.deepEqual(sink.done, ["c1.r1"]);
    assert.deepEqual(sink.calls.at(-1), ["exchangeDone", "c1.r1"]);
    assert.deepEqual([sink.exchanges[0]?.status, sink.exchanges[0]?.complete], [101, true]);
  });

  test("pipelined upgrades, all refused, from a client that has half-closed", () => {
    const transcript = talk(
      [C2S, `${UPGRADE("/1")}${UPGRADE("/2")}GET /3 HTTP/1.1\r\nHost: a\r\n\r\n`],
      [S2C, OK],
      [S2C, OK],
      [S2C, OK],
    );
    assert.deepEqual(runs(transcript), [
      ["http1 c1.r1", "http1 c1.r2", "http1 c1.r3"],
      ["http1 c1.r1", "http1 c1.r2", "http1 c1.r3"],
    ]);
  });

  test("h2c whose 101 comes before the request is whole", () => {
    const post =
      "POST /p HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\nContent-Length: 10\r\n\r\n";
    const transcript = talk(
      [C2S, `${post}12345`],
      [S2C, `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${SETTINGS}${OK_STREAM_1}`],
      [C2S, `67890${PREFACE}${SETTINGS}`],
    );
    const sink = replay(transcript);
    assert.deepEqual(
      sink.exchanges.map(({ id, path, status, complete }) => [id, path, status, complete]),
      [["c1.r1", "/p", 200, true]],
    );
    assert.deepEqual(
      sink.notes.filter((note) => note.severity === "violation"),
      [],
    );
    for (const cuts of everyCutOf(transcript)) assert.deepEqual(replay(transcript, cuts).runs, sink.runs);
  });

  test("CONNECT: what follows is detected anew, both ways", () => {
    const transcript = talk(
      [C2S, "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
      [S2C, "HTTP/1.1 200 OK\r\n\r\n"],
      [C2S, `${PREFACE}${SETTINGS}${GET_STREAM_1}`],
      [S2C, `${SETTINGS}${OK_STREAM_1}`],
    );
    assert.deepEqual(runs(transcript), [
      ["http1 c1.r1", "h2 null", "h2 c1.s1"],
      ["http1 c1.r1", "h2 null", "h2 c1.s1"],
    ]);
  });

  test("past the cap for octets behind an unanswered CONNECT, the client's stay opaque", () => {
    const transcript = talk(
      [C2S, "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
      [C2S, PREFACE.padEnd(PARKED_CAP + 1, "x")],
      [S2C, "HTTP/1.1 200 OK\r\n\r\n"],
      [C2S, PREFACE],
    );
    const sink = replay(transcript);
    assert.deepEqual(
      sink.runs[C2S].map((run) => run.category.split(".")[0]).filter((root, at, all) => root !== all[at - 1]),
      ["http1", "unattributed"],
    );
    assert.equal(sink.runs[C2S].at(-1)?.category, "unattributed.opaque");
    assert.deepEqual(
      sink.notes.filter((note) => note.severity === "limit").map((note) => note.code),
      ["limit-parked"],
    );
  });

  test("a server that speaks first, and neither HTTP nor TLS", () => {
    assert.deepEqual(runs(talk([S2C, "220 mail.example ESMTP\r\n"], [C2S, "EHLO a\r\n"])), [
      ["unattributed.opaque null"],
      ["unattributed.opaque null"],
    ]);
  });

  test("a 408 before any request", () => {
    assert.deepEqual(runs(talk([S2C, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"])), [[], ["http1 c1.r1"]]);
  });
});
