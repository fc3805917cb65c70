import assert from "node:assert/strict";
import { test } from "node:test";
import { converse, octets } from "../../../test/http1-driver.ts";
import { CATEGORIES } from "../category.ts";
import { C2S } from "../direction.ts";
import type { WireUnit } from "../wire-unit.ts";

const CONVERSATION = [
  ["c2s", "\r\nPOST /x HTTP/1.1\r\nHost: a\r\nAuthorization: Basic c2VjcmV0\r\nContent-Length: 3\r\n\r\nabc"],
  ["s2c", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\nSet-Cookie: s=t\r\nX: y\r\n\r\n"],
] as const;

const outline = (unit: WireUnit) => [unit.direction, unit.offset, unit.octets, unit.detail.kind, unit.exchange?.id ?? null];

test("units: heads, bodies, chunks, trailers, in stream order", () => {
  const { units } = converse(CONVERSATION, 1).sink;
  assert.deepEqual(units.map(outline), [
    [0, 0, 81, "http1.request_head", "c1.r1"],
    [0, 81, 3, "http1.body", "c1.r1"],
    [1, 0, 47, "http1.response_head", "c1.r1"],
    [1, 47, 9, "http1.chunk", "c1.r1"],
    [1, 56, 3, "http1.last_chunk", "c1.r1"],
    [1, 59, 25, "http1.trailers", "c1.r1"],
  ]);
  assert.deepEqual(units[0]?.detail, { kind: "http1.request_head", startLine: "POST /x HTTP/1.1", method: "POST", target: "/x" });
  assert.deepEqual(units[2]?.detail, { kind: "http1.response_head", startLine: "HTTP/1.1 200 OK", status: 200 });
  assert.deepEqual(units[3]?.detail, { kind: "http1.chunk", size: 4 });
  assert.deepEqual(
    units.flatMap(({ fields, parts }) => [...fields, ...parts]),
    [],
  );
});

test("fields from detail 2 on, parts at detail 3", () => {
  const fieldsOf = (detail: 2 | 3) => converse(CONVERSATION, detail).sink.units.flatMap(({ fields }) => fields);
  assert.deepEqual(
    fieldsOf(2).map(({ name, value, octets: wire }) => [name, value, wire]),
    [
      ["Host", "a", 9],
      ["Authorization", "Basic c2VjcmV0", 31],
      ["Content-Length", "3", 19],
      ["Transfer-Encoding", "chunked", 28],
      ["Set-Cookie", "s=t", 17],
      ["X", "y", 6],
    ],
  );
  assert.deepEqual(fieldsOf(3), fieldsOf(2));
  for (const unit of converse(CONVERSATION, 3).sink.units) {
    assert.equal(
      unit.parts.reduce((sum, part) => sum + part.octets, 0),
      unit.octets,
    );
  }
});

test("secret are values of sensitive fields, in trailers the whole line, and content, which nobody reads", () => {
  const { units } = converse(CONVERSATION, 3).sink;
  const secrets = units.flatMap(({ parts }) => parts.filter(({ secret }) => secret));
  assert.deepEqual(
    secrets.map(({ category, octets: length, shown }) => [CATEGORIES[category], length, Buffer.from(shown).toString("latin1")]),
    [
      ["http1.field_line.value", 14, "Basic c2VjcmV0"],
      ["body.text", 3, "abc"],
      ["body.text", 4, "abcd"],
      ["http1.trailer", 17, "Set-Cookie: s=t\r\n"],
    ],
  );
});

test("no octet is shown that no grammar has read", () => {
  const secret = "s3cr3t";
  const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const heads = [
    `GET / HTTP/1.1\r\nCookie : ${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nCookie: ${secret}\0\r\n\r\n`,
    `GET / HTTP/1.1\r\nCookie: ${secret}`,
    `GET / HTTP/2.1\r\nCookie: ${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nCookie:\r\n ${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nReferer: http://a/?t=${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nCookie: ${"a".repeat(70_000)}${secret}\r\n\r\n`,
    // A line over the cap: what is read of it, and the rest.
    `GET / HTTP/1.1\r\nReferer: /?t=${secret}${"a".repeat(70_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nX: ${secret}\0${"a".repeat(70_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nX: ${"a".repeat(65_533)}${secret}\r\n\r\n`,
    `${chunked}0\r\nReferer: /?t=${secret}${"a".repeat(70_000)}\r\n\r\n`,
    // Lines that are none.
    `GET /?token=${secret} HTTP/3.0\r\n\r\n`,
    `GET /${secret}`,
    `GET / HTTP/1.1\r\nReferer : http://u:${secret}@h/\r\n\r\n`,
    `GET / HTTP/1.1\r\n${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nX: ${secret}`,
    `POST / HTTP/1.1\r\nContent-Length: ${secret}\r\n\r\n`,
    `${chunked}0\r\n${secret}\r\n\r\n`,
    // What follows a loss of framing.
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 6\r\n\r\n${secret}`,
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n${secret}`,
    `${chunked}3\r\nabcdefg\r\n${secret}\r\n`,
    // Chunks: a broken line, one cut short, extensions, data.
    `${chunked}${secret}\r\n`,
    `${chunked}3;${secret}`,
    `${chunked}3;t=${secret}\r\nabc\r\n0\r\n\r\n`,
    `${chunked}3 ; t=${secret}\r\nabc\r\n0\r\n\r\n`,
    `${chunked}0;t=${secret}\r\n\r\n`,
    `${chunked}0;t=${secret}\r\nX: y\r\n\r\n`,
    `${chunked}0;t=${secret}\r\n`,
    `${chunked}6\r\n${secret}\r\n0\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n${secret}`,
  ];
  for (const head of heads) {
    const label = JSON.stringify(head.slice(-60));
    const parts = converse([["c2s", head]], 3).sink.units.flatMap((unit) => unit.parts);
    const shown = parts.filter((part) => !part.secret).map((part) => Buffer.from(part.shown).toString("latin1"));
    assert.ok(!shown.some((text) => text.includes(secret)), label);
    assert.ok(
      parts.some((part) => part.secret),
      label,
    );
  }
});

test("a chunk's size is shown, its extensions are not", () => {
  const text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3 ;a=b\r\nabc\r\n0;c\r\n\r\n";
  const units = converse([["s2c", text]], 3).sink.units.slice(1);
  assert.deepEqual(
    units.map(({ parts }) =>
      parts.map(({ category, secret, shown }) => [CATEGORIES[category], secret, Buffer.from(shown).toString("latin1")]),
    ),
    [
      [
        ["http1.chunk_size", false, "3"],
        ["http1.chunk_size", true, " ;a=b\r\n"],
        ["body.text", true, "abc"],
        ["http1.chunk_end", false, "\r\n"],
      ],
      [
        ["http1.last_chunk", false, "0"],
        ["http1.last_chunk", true, ";c\r\n"],
        ["http1.last_chunk", false, "\r\n"],
      ],
    ],
  );
});

test("units that never ended say so", () => {
  const truncated = (text: string) => {
    const { units } = converse([["c2s", text]], 1).sink;
    return units.filter((unit) => unit.truncated).map(({ offset, octets: length, detail }) => [offset, length, detail.kind]);
  };
  assert.deepEqual(truncated("GET / HT"), [[0, 8, "unattributed"]]);
  assert.deepEqual(truncated("GET / HTTP/1.1\r\nHost: "), [[0, 22, "http1.request_head"]]);
  const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
  assert.deepEqual(truncated(`${head}abc`), [[head.length, 3, "http1.body"]]);
});

test("a head without end: what is shown of it has a cap", () => {
  const line = "X-Name: value\r\n";
  const head = `GET / HTTP/1.1\r\nHost: a\r\n${line.repeat(40_000)}\r\n`;
  const [unit] = converse([["c2s", head]], 3).sink.units;
  assert.equal(unit?.octets, octets(head).length);
  assert.equal((unit?.fields.length ?? 0) + (unit?.fieldsOmitted ?? 0), 40_001);
  assert.ok((unit?.fieldsOmitted ?? 0) > 0);
  assert.ok((unit?.parts.reduce((sum, part) => sum + part.octets, 0) ?? 0) < 300_000);
  assert.equal(unit?.direction, C2S);
});
