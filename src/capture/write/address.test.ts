import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatEndpoint, parseAddress, splitHostPort, toV6 } from "./address.ts";

test("host and port", () => {
  assert.deepEqual(splitHostPort("127.0.0.1:80"), { host: "127.0.0.1", port: 80 });
  assert.deepEqual(splitHostPort("[::1]:65535"), { host: "::1", port: 65535 });
  assert.deepEqual(splitHostPort("localhost:1"), { host: "localhost", port: 1 });
  for (const text of ["unknown", "/run/app.sock", "/run/a:80", "host:65536", "::1:80", "[::1]", ":80", ""]) {
    assert.equal(splitHostPort(text), null, text);
  }
});

test("addresses, RFC 4291 §2.2", () => {
  const rows: readonly [text: string, hex: string | null][] = [
    ["192.0.2.255", "c00002ff"],
    ["256.0.0.1", null],
    ["1.2.3", null],
    ["localhost", null],
    // The RFC's own examples.
    ["ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "abcdef0123456789abcdef0123456789"],
    ["2001:DB8:0:0:8:800:200C:417A", "20010db80000000000080800200c417a"],
    ["2001:DB8::8:800:200C:417A", "20010db80000000000080800200c417a"],
    ["FF01::101", "ff010000000000000000000000000101"],
    ["::1", "00000000000000000000000000000001"],
    ["::", "00000000000000000000000000000000"],
    ["::13.1.68.3", "0000000000000000000000000d014403"],
    ["::FFFF:129.144.52.38", "81903426"],
    ["fe80::1%eth0", "fe800000000000000000000000000001"],
    ["1:2:3:4:5:6:7", null],
    ["1:2:3:4:5:6:7:8:9", null],
    ["1:2:3:4::5:6:7:8", null],
    ["1::2::3", null],
    ["12345::", null],
    ["1.2.3.4::", null],
    [":1", null],
  ];
  for (const [text, hex] of rows) {
    const address = parseAddress(text);
    assert.equal(address && Buffer.from(address).toString("hex"), hex, text);
  }
  assert.equal(Buffer.from(toV6(Uint8Array.of(192, 0, 2, 1))).toString("hex"), "00000000000000000000ffffc0000201");
});

test("any IPv6 address is read as the URL parser reads it", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseAddress(text);
      assert.ok(address !== null, text);
      const endpoint = { address: toV6(address), port: 80 };
      assert.equal(new URL(`http://${formatEndpoint(endpoint)}/`).hostname, new URL(`http://[${text}]/`).hostname);
    }),
    { numRuns: 200 },
  );
});
