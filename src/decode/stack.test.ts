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
/** RFC 8446 §5.1, §4.1.2, §4.1.3, with as little as may be in them: 41 and 38 octets. */
const CLIENT_HELLO = `\x16\x03\x01\x00\x2d\x01\x00\x00\x29\x03\x03${"r".repeat(32)}\x00\x00\x02\x13\x01\x01\x00`;
const SERVER_HELLO = `\x16\x03\x03\x00\x2a\x02\x00\x00\x26\x03\x03${"r".repeat(32)}\x00\x13\x01\x00`;
const ALERT = "\x15\x03\x03\x00\x02\x02\x28";
const TLS_HEADER = "tls.record_header null";
const TLS_HANDSHAKE = "tls.handshake null";
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

  test("each direction is read as what its own first octets surely are", () => {
    const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const bad = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    const h2 = `${PREFACE}${SETTINGS}${GET_STREAM_1}`;
    const cases: readonly (readonly [what: string, Transcript, c2s: string[], s2c: string[], protocol: string])[] = [
      ["SETTINGS first, then a GET", talk([S2C, SETTINGS], [C2S, get]), ["http1 c1.r1"], ["h2 null"], "h2"],
      [
        "SETTINGS first, then a request to upgrade and another",
        talk([S2C, SETTINGS], [C2S, `${UPGRADE("/1")}${get}`]),
        ["http1 c1.r1", "http1 c1.r2"],
        ["h2 null"],
        "h2",
      ],
      ["a GET, answered by SETTINGS", talk([C2S, get], [S2C, SETTINGS]), ["http1 c1.r1"], ["h2 null"], "http1"],
      ["HTTP/2, answered by a 400", talk([C2S, h2], [S2C, bad]), ["h2 null", "h2 c1.s1"], ["http1 c1.r2"], "h2"],
      ["TLS, answered by a 400", talk([C2S, CLIENT_HELLO], [S2C, bad]), [TLS_HEADER, TLS_HANDSHAKE], ["http1 c1.r1"], "tls"],
      ["a GET, answered by an alert", talk([C2S, get], [S2C, ALERT]), ["http1 c1.r1"], [TLS_HEADER, "tls.alert null"], "http1"],
      [
        "HTTP/2, answered by an alert",
        talk([C2S, h2], [S2C, ALERT]),
        ["h2 null", "h2 c1.s1"],
        [TLS_HEADER, "tls.alert null"],
        "h2",
      ],
      [
        "too few octets to say otherwise",
        talk([C2S, get], [S2C, "HT"]),
        ["http1 c1.r1"],
        ["unattributed.truncated c1.r1"],
        "http1",
      ],
      ["two octets behind HTTP/2", talk([C2S, h2], [S2C, "HT"]), ["h2 null", "h2 c1.s1"], ["unattributed.truncated null"], "h2"],
    ];
    for (const [what, transcript, c2s, s2c, protocol] of cases) {
      assert.deepEqual(runs(transcript), [c2s, s2c], what);
      const { calls, notes } = replay(transcript);
      assert.deepEqual(
        calls.filter(([name]) => name === "protocol").map(([, name]) => name),
        [protocol],
        what,
      );
      const mismatch = notes.filter(({ code }) => code === "protocol-mismatch").length;
      assert.equal(mismatch, what.startsWith("t") ? 0 : 1, what);
    }
  });

  test("a ClientHello of version 2, then TLS (RFC 5246 §E.2)", () => {
    // 25 octets: type, version, lengths of suites, session and challenge, one suite, challenge.
    const hello = `\x80\x1c\x01\x03\x01\x00\x03\x00\x00\x00\x10\x00\x00\x39${"c".repeat(16)}`;
    const transcript = talk([C2S, hello], [S2C, SERVER_HELLO], [C2S, ALERT]);
    assert.deepEqual(runs(transcript), [
      [TLS_HEADER, TLS_HANDSHAKE, TLS_HEADER, "tls.alert null"],
      [TLS_HEADER, TLS_HANDSHAKE],
    ]);
    const { runs: all, units } = replay(transcript, undefined, 1);
    assert.deepEqual(
      all[C2S].map(({ length }) => length),
      [2, 28, 5, 2],
    );
    assert.deepEqual(
      units.map(({ detail }) => (detail.kind === "tls.record" ? [detail.contentType, detail.length] : detail.kind)),
      [
        [null, 28],
        [22, SERVER_HELLO.length - 5],
        [21, 2],
      ],
    );
  });

  test("TLS behind the greeting of another protocol", () => {
    const socks = talk(
      [C2S, "\x05\x01\x00"],
      [S2C, "\x05\x00"],
      [C2S, "\x05\x01\x00\x01\xc0\x00\x02\x01\x01\xbb"],
      [S2C, "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"],
      [C2S, CLIENT_HELLO],
      [S2C, SERVER_HELLO],
    );
    const smtp = talk(
      [S2C, "220 mail.example ESMTP\r\n"],
      [C2S, "EHLO a\r\nSTARTTLS\r\n"],
      [S2C, `250 ok\r\n220 go on\r\n`],
      [C2S, `${CLIENT_HELLO}${ALERT}`],
      [S2C, `${SERVER_HELLO}`],
    );
    for (const [transcript, c2s] of [
      [socks, []],
      [smtp, [TLS_HEADER, "tls.alert null"]],
    ] as const) {
      assert.deepEqual(runs(transcript), [
        ["unattributed.opaque null", TLS_HEADER, TLS_HANDSHAKE, ...c2s],
        ["unattributed.opaque null", TLS_HEADER, TLS_HANDSHAKE],
      ]);
    }
  });

  test("what looks like a hello, but not enough, stays opaque; so does one that no client asked for", () => {
    const almost = CLIENT_HELLO.replace("\x01\x00\x00\x29", "\x01\x00\x00\x28");
    for (const transcript of [
      talk([C2S, `\x05${almost}`], [S2C, "\x05"]),
      talk([C2S, `\x05${CLIENT_HELLO.slice(0, 43)}`]),
      talk([C2S, "\x05"], [S2C, `\x05${SERVER_HELLO}`]),
    ]) {
      for (const run of runs(transcript).flat()) assert.equal(run, "unattributed.opaque null");
    }
  });
});
