import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { converse, Http1Driver, octets } from "../../../test/http1-driver.ts";
import { C2S, S2C } from "../direction.ts";

const LONG = 60_000;
/** Of a kind with one pass over the text these take a few milliseconds; with one pass per octet, seconds. */
const LIMIT_MS = 500;

const fill = (unit: string) => unit.repeat(Math.floor(LONG / unit.length));

/** Texts that make a matcher try each position, with runs of each kind of octet that some grammar repeats. */
const RUNS = [
  " ",
  "\t",
  "a",
  "0",
  ",",
  ";",
  "=",
  ":",
  "/",
  "@",
  " a",
  "a,",
  ";a",
  ";a=b",
  ' ;a="b"',
  "\\\\",
  '\\"',
  "HTTP/1.1 ",
  " A/1.1",
  "//",
];

test("60 KB of anything, anywhere a grammar is read, takes no longer than reading it", () => {
  const chunked = "Transfer-Encoding: chunked\r\n\r\n";
  const places: readonly (readonly [before: string, after: string])[] = [
    ["Connection: a,b", "c\r\n\r\n"],
    ["Content-Length: 1,1", "1\r\n\r\n"],
    ["Transfer-Encoding: a,b", "c\r\n\r\n"],
    ["Upgrade: a,b", "c\r\n\r\n"],
    ["Expect: 1", "0\r\n\r\n"],
    ["X", "!\0\r\n\r\n"],
    [`${chunked}3`, "!\0\r\n"],
    [`${chunked}3;a`, "!\0\r\n"],
    [`${chunked}3;a="`, "\0\r\n"],
  ];
  const texts = RUNS.map(fill).flatMap((run) => [
    ...places.map(([before, after]) => `POST / HTTP/1.1\r\nHost: a\r\n${before}${run}${after}`),
    `GET${run}!\0\r\n\r\n`,
    `GET /${run}\r\n\r\n`,
    `GET a${run} HTTP/1.1 x\r\n\r\n`,
    `GET http://${run} HTTP/1.1\r\n\r\n`,
  ]);
  const responses = RUNS.map(fill).flatMap((run) => [
    `HTTP/1.1 200${run}\0\r\n\r\n`,
    `HTTP/1.1${run}2\r\n\r\n`,
    `A${run}\r\n\r\n`,
  ]);
  for (const [direction, list] of [["c2s", texts] as const, ["s2c", responses] as const]) {
    for (const text of list) {
      const began = performance.now();
      converse([[direction, text]], 3);
      const took = performance.now() - began;
      assert.ok(took < LIMIT_MS, `${took.toFixed()} ms: ${JSON.stringify(`${text.slice(0, 60)}…${text.slice(-20)}`)}`);
    }
  }
});

/** Octets of the heap that are in use after a collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

test("what an exchange keeps of a long request line does not hold the line", () => {
  const COUNT = 200;
  const lines: readonly (readonly [what: string, line: (index: number) => string])[] = [
    ["method", (index) => `METHOD-OF-A-REQUEST-${index} /${"a".repeat(LONG)} HTTP/1.1`],
    ["path", (index) => `GET${" ".repeat(LONG)}/a-path-of-a-request/${index} HTTP/1.1`],
    ["authority", (index) => `GET http://host${index}.example.com.of.some.length/${"a".repeat(LONG)} HTTP/1.1`],
    ["authority", (index) => `CONNECT ${"u".repeat(LONG)}@host${index}.example.com.of.some.length:443 HTTP/1.1`],
  ];
  for (const [what, line] of lines) {
    const kept: (string | null)[] = [];
    const before = heapInUse();
    for (let index = 0; index < COUNT; index++) {
      const [exchange] = converse([["c2s", `${line(index)}\r\nHost: a\r\n\r\n`]]).sink.exchanges;
      kept.push((what === "method" ? exchange?.method : what === "path" ? exchange?.path : exchange?.authority) ?? null);
    }
    const grown = heapInUse() - before;
    assert.ok(grown < (COUNT * LONG) / 4, `${line(0).slice(0, 30)}: ${grown} octets for ${kept.length} of ${what}`);
    assert.ok(
      kept.every((text) => text !== null && text.length < 60),
      `${what}: ${kept[0]?.slice(0, 60)}`,
    );
  }
});

test("a connection does not keep its last long start-line", () => {
  const drivers: Http1Driver[] = [];
  const before = heapInUse();
  for (let index = 0; index < 100; index++) {
    const driver = new Http1Driver(0);
    driver.push(C2S, octets(`GET ${" ".repeat(LONG)}/ HTTP/1.1\r\nHost: a\r\n\r\n`));
    driver.push(S2C, octets(`HTTP/1.1 204 ${"x".repeat(LONG)}\r\n\r\n`));
    drivers.push(driver);
  }
  const grown = heapInUse() - before;
  assert.ok(grown < 100 * LONG, `${grown} octets for ${drivers.length} connections`);
});
