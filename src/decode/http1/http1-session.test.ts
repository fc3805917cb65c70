import assert from "node:assert/strict";
import { test } from "node:test";
import { converse, Http1Driver, octets, readable } from "../../../test/http1-driver.ts";
import { C2S, S2C } from "../direction.ts";
import { LINE_CAP } from "./line-reader.ts";
import { PIPELINE_CAP } from "./pairing.ts";

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

const codes = (driver: Http1Driver) => driver.sink.notes.map(({ code }) => code);
const counts = (driver: Http1Driver, direction: 0 | 1) => driver.sink.byLabel(direction);

test("every leaf of a head, RFC 9112 §5: whitespace, an empty value, folds", () => {
  const text = "GET /x HTTP/1.1\r\nHost:\t a \t\r\nA:\r\nB: \r\nC: one \r\n\t two\r\n \r\nD:x\n\r\n";
  const driver = converse([["c2s", text]]);
  assert.deepEqual(readable(driver, C2S, text), [
    ["start_line", "GET /x HTTP/1.1\r\n"],
    ["field_line.name", "Host"],
    ["field_line.separator", ":\t "],
    ["field_line.value", "a"],
    ["field_line.eol", " \t\r\n"],
    ["field_line.name", "A"],
    ["field_line.separator", ":"],
    ["field_line.eol", "\r\n"],
    ["field_line.name", "B"],
    ["field_line.separator", ": "],
    ["field_line.eol", "\r\n"],
    ["field_line.name", "C"],
    ["field_line.separator", ": "],
    ["field_line.value", "one"],
    ["field_line.fold", " \r\n\t "],
    ["field_line.value", "two"],
    ["field_line.fold", "\r\n "],
    ["field_line.eol", "\r\n"],
    ["field_line.name", "D"],
    ["field_line.separator", ":"],
    ["field_line.value", "x"],
    ["field_line.eol", "\n"],
    ["head_end", "\r\n"],
  ]);
  assert.deepEqual(
    driver.sink.fields.map(({ name, octets: wire, nameLength, valueLength }) => [name, wire, nameLength, valueLength]),
    [
      ["host", 12, 4, 1],
      ["a", 4, 1, 0],
      ["b", 5, 1, 0],
      ["c", 19, 1, 7],
      ["d", 4, 1, 1],
    ],
  );
  assert.deepEqual(codes(driver), ["obs-fold", "lf-line-end"]);
});

test("a line that is no field line is malformed, and the head goes on, RFC 9112 §2.2, §5", () => {
  const lines = [
    [" x: 1\r\n", "space-before-fields"],
    ["Host : a\r\n", "space-before-colon"],
    ["no colon\r\n", "field-line"],
    [": no name\r\n", "field-line"],
    ["a: b\rc\r\n", "bare-cr"],
    ["a: b\0c\r\n", "field-value-nul"],
    ["a: b\r\r\n", "bare-cr"],
  ] as const;
  for (const [line, rule] of lines) {
    const text = `GET / HTTP/1.1\r\n${line}Host: a\r\nContent-Length: 1\r\n\r\n!`;
    const driver = converse([["c2s", text]]);
    assert.deepEqual(readable(driver, C2S, text)[1], ["malformed", line]);
    assert.deepEqual(codes(driver), [rule]);
    assert.equal(counts(driver, C2S)["body"], 1);
    assert.equal(driver.sink.exchanges[0]?.authority, "a");
  }
});

test("no start-line: that line is malformed, everything behind it is nobody's", () => {
  for (const line of [
    "GET /\r\n",
    "GET / HTTP/2.0\r\n",
    "GET / http/1.1\r\n",
    "G@T / HTTP/1.1\r\n",
    "\x00\r\n",
    "\rGET / HTTP/1.1\r\n",
  ]) {
    const driver = converse([["c2s", `${line}Host: a\r\n\r\n`]]);
    assert.deepEqual(driver.sink.runs[C2S], [
      { offset: 0, length: line.length, category: "http1.malformed", level: "exclusive", exchange: "c1.r1" },
      { offset: line.length, length: 11, category: "unattributed.after_error", level: "unowned", exchange: null },
    ]);
    assert.deepEqual(
      driver.sink.notes.map(({ severity, offset }) => [severity, offset]),
      [
        ["violation", 0],
        ["warning", line.length],
      ],
    );
    assert.deepEqual(
      driver.sink.calls.filter(([name]) => name === "requestKnown" || name === "exchangeDone").map(([name]) => name),
      ["requestKnown", "exchangeDone"],
    );
  }
});

/** RFC 9112 §6.3 as a table: request method, response head after the status-line, then octets; how many of these are body. */
const RESPONSES: readonly (readonly [method: string, status: string, fields: string, rest: string, body: number])[] = [
  ["GET", "200 OK", "Content-Length: 3", "abc", 3],
  ["GET", "200 OK", "Content-Length: 3, 3", "abc", 3],
  ["GET", "200 OK", "Content-Length: 3\r\nContent-Length: 03", "abc", 3],
  ["GET", "200 OK", "X: y", "abc", 3],
  ["HEAD", "200 OK", "Content-Length: 3", "", 0],
  ["HEAD", "200 OK", "Transfer-Encoding: chunked", "", 0],
  ["GET", "204 No Content", "Content-Length: 3", "", 0],
  ["GET", "304 Not Modified", "Content-Length: 3", "", 0],
  ["GET", "200 OK", "Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n", 3],
  ["GET", "200 OK", "Transfer-Encoding: gzip, Chunked", "3\r\nabc\r\n0\r\n\r\n", 3],
  ["GET", "200 OK", "Transfer-Encoding: gzip", "3\r\nabc\r\n0\r\n\r\n", 13],
  ["GET", "200 OK", "Transfer-Encoding: chunked\r\nContent-Length: 99", "3\r\nabc\r\n0\r\n\r\n", 3],
];

test("message body length of responses, RFC 9112 §6.3", () => {
  for (const [method, status, fields, rest, body] of RESPONSES) {
    const request = `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`;
    const driver = converse([
      ["c2s", request],
      ["s2c", `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n${rest}`],
    ]);
    const label = `${method} ${status} ${fields}`;
    assert.equal(counts(driver, S2C)["body"] ?? 0, body, label);
    assert.equal(counts(driver, S2C)["unattributed.after_error"], undefined, label);
    assert.equal(driver.sink.exchanges[0]?.complete, true, label);
    assert.deepEqual(driver.sink.done, ["c1.r1"], label);
  }
});

test("a length that nobody can know: the body is nobody's, RFC 9112 §6.3", () => {
  for (const value of [
    "-1",
    "+3",
    "3 3",
    "0x3",
    "",
    "3, 4",
    "3\r\nContent-Length: 4",
    "9007199254740992",
    "99999999999999999999999",
  ]) {
    for (const start of ["POST / HTTP/1.1\r\nHost: a", "HTTP/1.1 200 OK"]) {
      const request = start.startsWith("POST");
      const driver = converse([[request ? "c2s" : "s2c", `${start}\r\nContent-Length: ${value}\r\n\r\nabc`]]);
      assert.ok(codes(driver).includes("content-length"), `${start} ${value}`);
      assert.equal(counts(driver, request ? C2S : S2C)["unattributed.after_error"], 3);
      assert.equal(driver.sink.exchanges[0]?.complete, false);
    }
  }
  const driver = converse([["c2s", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\nabc"]]);
  assert.deepEqual(codes(driver), ["te-not-chunked", "after-error"]);
});

test("where no body can be, a bad length loses nothing, RFC 9112 §6.3 rule 1", () => {
  const driver = converse([
    ["c2s", `HEAD / HTTP/1.1\r\nHost: a\r\n\r\n${GET}`],
    ["s2c", `HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n${OK}`],
  ]);
  assert.deepEqual(
    driver.sink.exchanges.map(({ status, complete }) => [status, complete]),
    [
      [200, true],
      [200, true],
    ],
  );
});

test("chunk-size lines, RFC 9112 §7.1", () => {
  const sizes = [
    ["3", null],
    ["0003", null],
    ["3;a", null],
    ["3 ; a = b ;c", null],
    ['3;a="x;\\"y\\";z"', null],
    ["3 ", "chunk-size-space"],
    ["3;", "chunk-ext"],
    ["3;a=", "chunk-ext"],
    ['3;a="b', "chunk-ext"],
  ] as const;
  for (const [line, rule] of sizes) {
    const driver = converse([["s2c", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${line}\r\nabc\r\n0\r\n\r\n`]]);
    assert.deepEqual(
      codes(driver).filter((code) => code.startsWith("chunk")),
      rule === null ? [] : [rule],
      line,
    );
    assert.equal(counts(driver, S2C)["http1.chunk_size"], line.length + 2);
    assert.equal(counts(driver, S2C)["http1.last_chunk"], 5);
  }
  for (const line of ["", "x", "-3", "0x3", " 3", "3 a", "20000000000000", "3;a\rb"]) {
    const driver = converse([["s2c", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${line}\r\nabc\r\n0\r\n\r\n`]]);
    assert.equal(counts(driver, S2C)["http1.malformed"], line.length + 2, line);
    assert.equal(counts(driver, S2C)["unattributed.after_error"], 10, line);
  }
});

test("trailers: the last chunk is its line, then whole lines, then the empty line", () => {
  const text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0;x\r\nA: b\r\n c\r\nno colon\r\n\r\n";
  const driver = converse([["s2c", text]]);
  assert.deepEqual(readable(driver, S2C, text).slice(-4), [
    ["last_chunk", "0;x\r\n"],
    ["trailer", "A: b\r\n c\r\n"],
    ["malformed", "no colon\r\n"],
    ["trailer_end", "\r\n"],
  ]);
  assert.deepEqual(
    driver.sink.fields.map(({ name, octets: wire }) => [name, wire]),
    [
      ["transfer-encoding", 28],
      ["a", 10],
    ],
  );
});

test("chunk-data without its line end: framing is lost there", () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const driver = converse([["s2c", `${head}3\r\nabcd\r\n`]]);
  assert.equal(counts(driver, S2C)["unattributed.after_error"], 3);
  const afterCr = converse([["s2c", `${head}3\r\nabc\rd`]]);
  assert.equal(counts(afterCr, S2C)["http1.malformed"], 1);
  assert.equal(counts(afterCr, S2C)["unattributed.after_error"], 1);
  assert.deepEqual(codes(afterCr).slice(-2), ["chunk-end", "after-error"]);
});

test("pipelining: responses pair in order, 1xx are not the end, a HEAD in between has no body", () => {
  const driver = converse([
    ["c2s", `${GET}HEAD /2 HTTP/1.1\r\nHost: a\r\n\r\n${GET}`],
    ["s2c", `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!`],
    ["s2c", "HTTP/1.1 404 No\r\nContent-Length: 7\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"],
  ]);
  assert.deepEqual(
    driver.sink.exchanges.map(({ method, status, complete }) => [method, status, complete]),
    [
      ["GET", 200, true],
      ["HEAD", 404, true],
      ["GET", 500, true],
    ],
  );
  const owners = new Set(driver.sink.runs[S2C].filter(({ offset }) => offset < 30).map(({ exchange }) => exchange));
  assert.deepEqual([...owners], ["c1.r1"]);
  assert.deepEqual(driver.sink.done, ["c1.r1", "c1.r2", "c1.r3"]);
});

test("a response nobody asked for is an exchange without a method", () => {
  const driver = converse([["s2c", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]]);
  assert.deepEqual(
    driver.sink.exchanges.map(({ method, status, complete }) => [method, status, complete]),
    [[null, 408, false]],
  );
  assert.deepEqual(codes(driver), ["response-unasked"]);
  assert.deepEqual(
    driver.sink.calls.map(([name]) => name),
    ["openExchange", "requestKnown", "exchangeDone"],
  );
});

test("empty lines belong to the request behind them; at the end to nobody", () => {
  const driver = converse([
    ["c2s", `\r\n\n${GET}\r\n`],
    ["s2c", OK],
  ]);
  assert.deepEqual(driver.sink.runs[C2S].at(0), {
    offset: 0,
    length: 3,
    category: "http1.leading_crlf",
    level: "exclusive",
    exchange: "c1.r1",
  });
  assert.deepEqual(driver.sink.runs[C2S].at(-1), {
    offset: 3 + GET.length,
    length: 2,
    category: "http1.leading_crlf",
    level: "unowned",
    exchange: null,
  });
  assert.deepEqual(codes(driver), []);
});

test("request-target and Host, RFC 9112 §3.2", () => {
  const known = (line: string) => {
    const [exchange] = converse([["c2s", `${line} HTTP/1.1\r\nHost: h:1\r\n\r\n`]]).sink.exchanges;
    return [exchange?.method, exchange?.path, exchange?.authority];
  };
  assert.deepEqual(known("GET /a?b"), ["GET", "/a?b", "h:1"]);
  assert.deepEqual(known("OPTIONS *"), ["OPTIONS", "*", "h:1"]);
  assert.deepEqual(known("GET http://u:p@x.example:2/a"), ["GET", "http://u:p@x.example:2/a", "x.example:2"]);
  assert.deepEqual(known("CONNECT y:443"), ["CONNECT", "y:443", "y:443"]);
  assert.deepEqual(known("CONNECT u:p@y:443"), ["CONNECT", "u:p@y:443", "y:443"]);
  // No authority-form: RFC 9112 §3.2.3 has neither path nor query in it.
  assert.deepEqual(known("CONNECT http://u@y/?t=s@z"), ["CONNECT", "http://u@y/?t=s@z", "y"]);
  assert.deepEqual(known("CONNECT y/?t=s"), ["CONNECT", "y/?t=s", "h:1"]);
  assert.deepEqual(known("CONNECT ?t=s"), ["CONNECT", "?t=s", "h:1"]);
});

test("after the last message of a connection another one is a violation, RFC 9112 §9.3, §9.6", () => {
  const close = "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n";
  assert.deepEqual(codes(converse([["c2s", close + GET]])), ["request-after-close"]);
  assert.deepEqual(codes(converse([["c2s", `GET / HTTP/1.0\r\n\r\n${GET}`]])), ["request-after-close"]);
  assert.deepEqual(codes(converse([["c2s", `GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${GET}`]])), []);
  const last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  assert.deepEqual(
    codes(
      converse([
        ["c2s", GET + GET],
        ["s2c", last + OK],
      ]),
    ),
    ["response-after-close"],
  );
});

const EXPECT = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 14\r\n\r\n";
const REFUSED = "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n";

test("Expect refused: a request-line is a request, anything else is the body, RFC 9110 §10.1.1", () => {
  const request = converse([
    ["c2s", EXPECT],
    ["s2c", REFUSED],
    ["c2s", GET],
    ["s2c", OK],
  ]);
  assert.deepEqual(
    request.sink.exchanges.map(({ status, complete }) => [status, complete]),
    [
      [417, true],
      [200, true],
    ],
  );
  assert.deepEqual(codes(request), ["ambiguous"]);
  for (const body of ['{"a": [1, 2]}\n', "GET / HTTP/x\r\n", "GET\r\n/ HTTP/1."]) {
    const driver = converse([
      ["c2s", EXPECT],
      ["s2c", REFUSED],
      ["c2s", body + GET],
      ["s2c", OK],
    ]);
    assert.equal(counts(driver, C2S)["body"], 14, body);
    assert.deepEqual(
      driver.sink.exchanges.map(({ status }) => status),
      [417, 200],
      body,
    );
  }
  const nothing = converse([
    ["c2s", EXPECT],
    ["s2c", REFUSED],
  ]);
  assert.deepEqual(
    nothing.sink.exchanges.map(({ complete }) => complete),
    [true],
  );
  assert.deepEqual(codes(nothing), []);
});

test("Expect accepted, or a body that began before the answer: it is the body", () => {
  const accepted = converse([
    ["c2s", EXPECT],
    ["s2c", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["c2s", "GET / HTTP/1.1"],
    ["s2c", OK],
  ]);
  assert.equal(counts(accepted, C2S)["body"], 14);
  const begun = converse([
    ["c2s", `${EXPECT}G`],
    ["s2c", REFUSED],
    ["c2s", "ET / HTTP/1.1"],
  ]);
  assert.equal(counts(begun, C2S)["body"], 14);
  assert.deepEqual([...codes(accepted), ...codes(begun)], []);
});

const UPGRADE = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

test("V-PX-07: octets sent along with the upgrade are not HTTP/1's", () => {
  const driver = converse([
    ["c2s", `${UPGRADE}\x81\x82\0\0\0\0hi`],
    ["s2c", `${SWITCHING}\x81\x02hi`],
  ]);
  assert.deepEqual(driver.told, ["websocket c1.r1 -"]);
  assert.deepEqual(driver.after, [
    [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69],
    [0x81, 0x02, 0x68, 0x69],
  ]);
  assert.equal(driver.sink.offset(C2S), UPGRADE.length);
  assert.equal(driver.sink.offset(S2C), SWITCHING.length);
  // The upgraded session is the exchange: whoever carries it on says when it is over.
  assert.deepEqual(driver.sink.done, []);
});

test("an upgrade refused: HTTP/1 goes on, and the request layer waited for that", () => {
  const driver = new Http1Driver(0);
  driver.push(C2S, octets(UPGRADE + GET));
  assert.equal(driver.session.request.parked, true);
  assert.equal(driver.sink.offset(C2S), UPGRADE.length);
  driver.push(S2C, octets("HTTP/1.1 103 Early Hints\r\n\r\n"));
  assert.equal(driver.session.request.parked, true);
  const response = octets(`${OK}${OK}`);
  assert.equal(driver.session.response.push(response, 0, response.length), OK.length);
  assert.deepEqual(driver.told, ["unparked"]);
  assert.equal(driver.session.request.parked, false);
});

test("h2c only when request and 101 both say so, RFC 7540 §3.2", () => {
  const request = (upgrade: string, more: string) =>
    `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${more}\r\n`;
  const switching = (upgrade: string) => `HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`;
  const settings = "HTTP2-Settings: AAMAAABk\r\n";
  const told = (first: string, second: string) =>
    converse([
      ["c2s", first],
      ["s2c", second],
    ]);
  const h2c = told(request("h2c", settings), switching("h2c"));
  assert.deepEqual(h2c.told, ["h2c c1.r1 AAMAAABk"]);
  assert.deepEqual(h2c.sink.done, []);
  assert.deepEqual(told(request("h2c", ""), switching("h2c")).told, ["opaque c1.r1 -"]);
  assert.deepEqual(told(request("h2c", settings), switching("x")).told, ["opaque c1.r1 -"]);
  assert.deepEqual(told(request("x", settings), switching("h2c")).told, ["opaque c1.r1 -"]);
});

test("CONNECT: 2xx switches, anything else is an ordinary response, RFC 9110 §9.3.6", () => {
  const connect = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";
  const tunnel = converse([
    ["c2s", `${connect}hello`],
    ["s2c", "HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\n\r\nhello"],
  ]);
  assert.deepEqual(tunnel.told, ["tunnel c1.r1 -"]);
  assert.deepEqual(
    tunnel.after.map(({ length }) => length),
    [5, 5],
  );
  const refused = converse([
    ["c2s", `${connect}${GET}`],
    ["s2c", `HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno${OK}`],
  ]);
  assert.deepEqual(refused.told, ["unparked"]);
  assert.deepEqual(
    refused.sink.exchanges.map(({ status, complete }) => [status, complete]),
    [
      [407, true],
      [200, true],
    ],
  );
});

test("a 101 that nobody asked for: framing is lost", () => {
  const driver = converse([
    ["c2s", GET],
    ["s2c", `${SWITCHING}x`],
  ]);
  assert.deepEqual(codes(driver), ["switch-unasked", "after-error"]);
});

/** An upgrade with content, of which some comes after the 101. */
const UPGRADE_WITH = (fields: string) => UPGRADE.replace("GET", "POST").replace("Host", `${fields}\r\nHost`);

test("a 101 before the request is whole takes effect when it is, RFC 9110 §7.8, RFC 7540 §3.2", () => {
  const length = UPGRADE_WITH("Content-Length: 10");
  const chunked = UPGRADE_WITH("Transfer-Encoding: chunked");
  const h2c = "HTTP2-Settings: AAMAAABk\r\n";
  for (const [head, first, rest] of [
    [length, "01234", "56789"],
    [length, "", "0123456789"],
    [chunked, "3\r\nab", "c\r\n0\r\nT: u\r\n\r\n"],
    [UPGRADE_WITH("Expect: 100-continue\r\nContent-Length: 3"), "", "abc"],
  ] as const) {
    const driver = new Http1Driver(1);
    driver.push(C2S, octets(head + first));
    driver.push(S2C, octets("HTTP/1.1 103 Early Hints\r\n\r\n"));
    driver.push(S2C, octets(`${SWITCHING}he`));
    driver.push(S2C, octets("llo"));
    assert.deepEqual(driver.told, []);
    driver.push(C2S, octets(`${rest}hi`));
    assert.deepEqual(driver.told, ["websocket c1.r1 -"]);
    assert.deepEqual(driver.after, [[...octets("hi")], [...octets("hello")]]);
    assert.equal(driver.sink.offset(C2S), head.length + first.length + rest.length);
    assert.deepEqual(codes(driver), []);
    assert.deepEqual([driver.sink.exchanges[0]?.status, driver.sink.done], [101, []]);
  }
  const both = (text: string) => text.replace("websocket", "h2c");
  const driver = converse([
    ["c2s", both(length).replace("Host", `${h2c}Host`)],
    ["s2c", both(SWITCHING)],
    ["c2s", "0123456789PRI"],
  ]);
  assert.deepEqual(driver.told, ["h2c c1.r1 AAMAAABk"]);
  assert.deepEqual(driver.after, [[...octets("PRI")], []]);
});

test("a 101 to a request that never becomes whole: framing of the response direction is lost", () => {
  const cut = (turns: readonly (readonly ["c2s" | "s2c", string])[]) => {
    const driver = converse(turns);
    return [driver.told, codes(driver), counts(driver, S2C)["unattributed.after_error"] ?? 0, driver.sink.done] as const;
  };
  const head = UPGRADE_WITH("Content-Length: 10");
  assert.deepEqual(
    cut([
      ["c2s", `${head}01`],
      ["s2c", `${SWITCHING}xyz`],
    ]),
    [["unparked"], ["truncated", "switch-unasked", "after-error"], 3, ["c1.r1"]],
  );
  assert.deepEqual(
    cut([
      ["c2s", UPGRADE_WITH("Transfer-Encoding: chunked")],
      ["s2c", `${SWITCHING}xyz`],
      ["c2s", "no size\r\n"],
    ]),
    [["unparked"], ["chunk-size", "switch-unasked", "after-error"], 3, ["c1.r1"]],
  );
  // The server's end comes first: the exchange is over with the client's.
  const driver = new Http1Driver(0);
  driver.push(C2S, octets(head));
  driver.push(S2C, octets(SWITCHING));
  driver.end(S2C);
  assert.deepEqual(driver.sink.done, []);
  driver.end(C2S);
  assert.deepEqual(driver.sink.done, ["c1.r1"]);
  assert.equal(driver.sink.exchanges[0]?.complete, false);
});

test("a parked request goes on when no response can come", () => {
  const driver = new Http1Driver(0);
  driver.push(C2S, octets(UPGRADE + GET));
  driver.end(S2C);
  driver.end(C2S);
  assert.deepEqual(driver.told, ["unparked"]);
  assert.equal(driver.sink.offset(C2S), UPGRADE.length + GET.length);
});

test("the end inside a message: held octets are truncated, a body stays a body, until-close is whole", () => {
  const cut = (text: string) => {
    const driver = converse([["c2s", text]]);
    return [driver.sink.runs[C2S].at(-1)?.category, codes(driver), driver.sink.exchanges[0]?.complete];
  };
  assert.deepEqual(cut("GET / HT"), ["unattributed.truncated", ["truncated"], false]);
  assert.deepEqual(cut("GET / HTTP/1.1\r\nHos"), ["unattributed.truncated", ["truncated"], false]);
  assert.deepEqual(cut("GET / HTTP/1.1\r\nHost: a\r\n"), ["http1.field_line.eol", ["truncated"], false]);
  assert.deepEqual(cut("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"), ["body.text", ["truncated"], false]);
  const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  assert.deepEqual(cut(`${chunked}3`), ["unattributed.truncated", ["truncated"], false]);
  assert.deepEqual(cut(`${chunked}3\r\nab`), ["body.text", ["truncated"], false]);
  assert.deepEqual(cut(`${chunked}3\r\nabc\r`), ["unattributed.truncated", ["truncated"], false]);
  assert.deepEqual(cut(`${chunked}0\r\n`), ["http1.last_chunk", ["truncated"], false]);
  assert.deepEqual(cut(`${chunked}0\r\nA: b`), ["unattributed.truncated", ["truncated"], false]);
  const old = converse([
    ["c2s", "GET / HTTP/1.0\r\n\r\n"],
    ["s2c", "HTTP/1.0 200 OK\r\n\r\nabc"],
  ]);
  assert.deepEqual([codes(old), old.sink.exchanges[0]?.complete], [[], true]);
});

test("a line at the cap is read, one octet more is counted only", () => {
  const head = (length: number) => `GET / HTTP/1.1\r\nX: ${"v".repeat(length - 5)}\r\nHost: a\r\n\r\n`;
  assert.deepEqual(codes(converse([["c2s", head(LINE_CAP)]])), []);
  const long = converse([["c2s", head(LINE_CAP + 1)]]);
  assert.deepEqual(codes(long), ["line-too-long"]);
  assert.equal(counts(long, C2S)["http1.malformed"], 1);
  assert.deepEqual(long.sink.fields[0], {
    direction: C2S,
    name: "x",
    octets: LINE_CAP + 1,
    nameLength: 1,
    valueLength: -1,
    representation: -1,
    inserted: false,
    evicted: 0,
  });
  assert.equal(long.sink.exchanges[0]?.authority, "a");
  const target = converse([["c2s", `GET /${"a".repeat(LINE_CAP)} HTTP/1.1\r\n\r\n`]]);
  assert.deepEqual(codes(target), ["line-too-long", "after-error"]);
});

test("the order of requests past the pipeline cap is not known, and comes back when they are answered", () => {
  const driver = new Http1Driver(0);
  driver.push(C2S, octets(GET.repeat(PIPELINE_CAP + 1)));
  assert.deepEqual(codes(driver), ["pipeline-limit"]);
  driver.push(S2C, octets(OK.repeat(PIPELINE_CAP + 1)));
  driver.push(C2S, octets(GET));
  driver.push(S2C, octets(OK));
  assert.equal(driver.sink.exchanges.at(-1)?.complete, true);
  assert.equal(driver.sink.exchanges.at(-2)?.method, null);
});
