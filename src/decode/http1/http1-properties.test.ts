import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Http1Driver, octets } from "../../../test/http1-driver.ts";
import { C2S, DIRECTIONS, type Direction, S2C } from "../direction.ts";
import type { Detail } from "../sink.ts";

interface Turn {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

const REQUESTS = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "\r\nHEAD /x HTTP/1.1\r\nHost: a\r\nX: 1\r\n\t2\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nabc\r\n0\r\nT: u\r\n\r\n',
  "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 40\r\n\r\nbegun",
];
const RESPONSES = [
  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
  "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nok\r\n0\r\n\r\n",
  "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.0 200 OK\r\n\r\nuntil close",
  "HTTP/1.1 204 No Content\r\n\r\n",
];

const turn = (direction: Direction, texts: readonly string[]) =>
  fc.constantFrom(...texts).map((text): Turn => ({ direction, bytes: octets(text) }));
/** An octet replaced, doubled or dropped here and there. */
const mutated = (of: fc.Arbitrary<Turn>) =>
  fc
    .tuple(of, fc.array(fc.tuple(fc.nat(90), fc.nat(255), fc.constantFrom(0, 1, 2)), { maxLength: 2 }))
    .map(([{ direction, bytes }, edits]): Turn => {
      const edited = [...bytes];
      for (const [at, octet, kind] of edits) edited.splice(at, kind === 0 ? 0 : 1, ...(kind === 2 ? [] : [octet]));
      return { direction, bytes: Uint8Array.from(edited) };
    });
const noise = fc
  .tuple(fc.constantFrom<Direction>(C2S, S2C), fc.uint8Array({ maxLength: 60 }))
  .map(([direction, bytes]): Turn => ({ direction, bytes }));
const conversation = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: turn(C2S, REQUESTS) },
    { weight: 4, arbitrary: turn(S2C, RESPONSES) },
    { weight: 2, arbitrary: mutated(fc.oneof(turn(C2S, REQUESTS), turn(S2C, RESPONSES))) },
    { weight: 1, arbitrary: noise },
  ),
  { maxLength: 9 },
);

function play(turns: readonly Turn[], sizes: readonly number[], detail: Detail): Http1Driver {
  const driver = new Http1Driver(detail);
  let cut = 0;
  for (const { direction, bytes } of turns) {
    for (let at = 0; at < bytes.length; cut++) {
      const size = sizes[cut % sizes.length] ?? bytes.length;
      driver.push(direction, bytes.subarray(at, at + size));
      at += size;
    }
  }
  for (const direction of DIRECTIONS) driver.end(direction);
  return driver;
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });

test("how the octets were cut does not matter", () => {
  fc.assert(
    fc.property(conversation, sizes, (turns, cut) => {
      const [whole, parts] = [play(turns, [Number.MAX_SAFE_INTEGER], 3), play(turns, cut, 3)];
      assert.deepEqual(parts.sink.figures(), whole.sink.figures());
      assert.deepEqual(parts.told, whole.told);
      assert.deepEqual(parts.after, whole.after);
    }),
    { numRuns: 200 },
  );
});

test("units tile what was announced, and the detail changes no count", () => {
  fc.assert(
    fc.property(conversation, sizes, (turns, cut) => {
      const { sink } = play(turns, cut, 3);
      assert.deepEqual(play(turns, cut, 0).sink.runs, sink.runs);
      for (const direction of DIRECTIONS) {
        let offset = 0;
        for (const unit of sink.units.filter((each) => each.direction === direction)) {
          assert.equal(unit.offset, offset);
          assert.equal(
            unit.parts.reduce((sum, part) => sum + part.octets, 0),
            unit.octets,
          );
          offset += unit.octets;
        }
        assert.equal(offset, sink.offset(direction));
      }
    }),
    { numRuns: 200 },
  );
});

test("an exchange is known once and done at most once, and everybody's octets are its own", () => {
  fc.assert(
    fc.property(conversation, (turns) => {
      const { sink, told } = play(turns, [Number.MAX_SAFE_INTEGER], 0);
      const ids = sink.exchanges.map(({ id }) => id);
      const known = sink.calls.filter(([name]) => name === "requestKnown").map(([, id]) => id);
      assert.deepEqual([...known].sort(), [...ids].sort());
      assert.equal(new Set(sink.done).size, sink.done.length);
      // Only an exchange that became a stream or a session lives on; the driver drops requests behind the one that switched.
      const living = told.filter((text) => /^(?:h2c|websocket|opaque) /.test(text)).length;
      if (told.every((text) => text === "unparked")) assert.equal(sink.done.length, ids.length);
      else assert.ok(sink.done.length >= ids.length - living - 1, `${sink.done.length} of ${ids.length} done`);
    }),
    { numRuns: 200 },
  );
});

test("random octets: nothing throws, everything is announced", () => {
  const octet = fc.oneof(fc.constantFrom(0x0d, 0x0a, 0x20, 0x3a, 0x3b, 0x30, 0x31), fc.nat(255));
  fc.assert(
    fc.property(fc.array(octet, { maxLength: 3000 }), fc.constantFrom("", REQUESTS[3] ?? ""), (noisy, before) => {
      const bytes = Uint8Array.from([...octets(before), ...noisy]);
      for (const direction of DIRECTIONS) {
        const driver = new Http1Driver(0);
        driver.push(direction, bytes);
        driver.end(direction);
        assert.equal(driver.sink.offset(direction), bytes.length);
      }
    }),
    { numRuns: 100 },
  );
});
