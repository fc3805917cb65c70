import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointText, flowKey } from "./endpoint.ts";

/** 16 octets of eight groups. */
function ipv6(...groups: number[]): Uint8Array {
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** RFC 5952: the recommended texts of section 4 and 5, with the port as section 6 has it. */
const TEXTS: readonly [Uint8Array, number, string][] = [
  [Uint8Array.of(192, 0, 2, 1), 80, "192.0.2.1:80"],
  [ipv6(0x2001, 0xdb8, 0, 0, 0, 0, 2, 1), 443, "[2001:db8::2:1]:443"],
  [ipv6(0x2001, 0xdb8, 0, 1, 1, 1, 1, 1), 80, "[2001:db8:0:1:1:1:1:1]:80"],
  [ipv6(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1), 80, "[2001:db8::1:0:0:1]:80"],
  [ipv6(0x2001, 0, 0, 1, 0, 0, 0, 1), 80, "[2001:0:0:1::1]:80"],
  [ipv6(0, 0, 0, 0, 0, 0, 0, 1), 80, "[::1]:80"],
  [ipv6(0, 0, 0, 0, 0, 0, 0, 0), 0, "[::]:0"],
  [ipv6(0xfe80, 0, 0, 0, 0, 0, 0, 0), 65_535, "[fe80::]:65535"],
  [ipv6(0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0201), 80, "[::ffff:192.0.2.1]:80"],
];

for (const [address, port, text] of TEXTS) {
  test(`endpoint ${text}`, () => assert.equal(endpointText(address, port), text));
}

test("flow keys tell apart direction, port, family and scope", () => {
  const [a, b] = [Uint8Array.of(10, 0, 0, 1), Uint8Array.of(10, 0, 0, 2)];
  const [six, seven] = [ipv6(1, 2, 3, 4, 5, 6, 7, 8), ipv6(1, 2, 3, 4, 5, 6, 7, 9)];
  const keys = [
    flowKey(a, 1, b, 2, ""),
    flowKey(b, 2, a, 1, ""),
    flowKey(a, 2, b, 1, ""),
    flowKey(a, 1, b, 3, ""),
    flowKey(a, 1, b, 2, "vni 7"),
    flowKey(a, 1, b, 2, "vni 8"),
    flowKey(six, 1, seven, 2, ""),
    flowKey(seven, 2, six, 1, ""),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(flowKey(a.slice(), 1, b.slice(), 2, "vni 7"), keys[4]);
});
