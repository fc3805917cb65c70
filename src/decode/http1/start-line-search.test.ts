import assert from "node:assert/strict";
import { test } from "node:test";
import { C2S, type Direction, S2C } from "../direction.ts";
import { StartLineSearch } from "./start-line-search.ts";

/** Where the search finds a start-line, octet by octet and at once; -1: nowhere. */
function place(direction: Direction, text: string): number {
  const bytes = Buffer.from(text, "latin1");
  const whole = new StartLineSearch(direction);
  const at = whole.look(bytes, 0, bytes.length);
  const slow = new StartLineSearch(direction);
  let stopped = 0;
  for (let to = 1; to <= bytes.length && !slow.found; to++) stopped = slow.look(bytes, stopped, to);
  assert.deepEqual([slow.found, slow.found ? stopped : -1], [whole.found, whole.found ? at : -1], text);
  return whole.found ? at : -1;
}

test("a request-line, RFC 9112 §3, in the middle of a line as well", () => {
  for (const [text, found] of [
    ["GET / HTTP/1.1\r\n", 0],
    ["GET / HTTP/1.0\n", 0],
    ['{"a":1}POST /b?c HTTP/1.1\r\n', 7],
    ["qqqqPUT /b HTTP/1.1\r\n", 4],
    ["xUNLOCK /b HTTP/1.1\r\n", 1],
    ["a\r\nBREW /pot HTTP/1.1\r\n", 3],
    // Half a method, or a body's last octets: nobody can tell.
    ["OST /b HTTP/1.1\r\n", -1],
    ["BREW /pot HTTP/1.1\r\n", -1],
    ["a\r\n}BREW /pot HTTP/1.1\r\n", -1],
    ["GET /a b HTTP/1.1\r\n", -1],
    ["GET / HTTP/1.1 \r\n", -1],
    ["GET / HTTP/2.0\r\n", -1],
    ["GET  HTTP/1.1\r\n", -1],
    ["GET / HTTP/1.1", -1],
    ["/ HTTP/1.1\r\nHEAD /c HTTP/1.1\r\n", 12],
  ] as const) {
    assert.equal(place(C2S, text), found, JSON.stringify(text));
  }
});

test("a status-line, RFC 9112 §4, in the middle of a line as well", () => {
  for (const [text, found] of [
    ["HTTP/1.1 200 OK\r\n", 0],
    ["HTTP/1.1 200 \r\n", 0],
    ["HTTP/1.1 200\r\n", 0],
    ["0123HTTP/1.1 404 Not Found\r\n", 4],
    ["HTTP/1.1 200 HTTP/1.1 500 no\r\n", 13],
    ["TTP/1.1 200 OK\r\n", -1],
    ["HTTP/1.1 2000 OK\r\n", -1],
    ["HTTP/1.1 700 OK\r\n", -1],
    ["HTTP/2 200 OK\r\n", -1],
    ["HTTP/1.1 OK\r\n\r\nHTTP/1.1 204 No Content\r\n", 15],
  ] as const) {
    assert.equal(place(S2C, text), found, JSON.stringify(text));
  }
});

test("a line over 8 KiB is looked at from its end", () => {
  assert.equal(place(C2S, `${"x".repeat(9000)} POST /b HTTP/1.1\r\n`), 9001);
  assert.equal(place(C2S, `a\nBREW /${"x".repeat(9000)} HTTP/1.1\r\n`), -1);
});
