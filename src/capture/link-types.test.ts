import assert from "node:assert/strict";
import { test } from "node:test";
import { LINK_TYPES, linkTypeName } from "./link-types.ts";

// tcpdump.org/linktypes.html
for (const [code, name] of [
  [0, "NULL (0)"],
  [1, "ETHERNET (1)"],
  [9, "PPP (9)"],
  [12, "RAW (12)"],
  [101, "RAW (101)"],
  [104, "C_HDLC (104)"],
  [108, "LOOP (108)"],
  [113, "LINUX_SLL (113)"],
  [219, "MPLS (219)"],
  [228, "IPV4 (228)"],
  [229, "IPV6 (229)"],
  [239, "NFLOG (239)"],
  [276, "LINUX_SLL2 (276)"],
  [147, "link type 147"],
] as const) {
  test(`link type ${code} is ${name}`, () => assert.equal(linkTypeName(code), name));
}

test("the registry is in order, each number once", () => {
  const codes = LINK_TYPES.map(({ code }) => code);
  assert.deepEqual(
    codes,
    [...new Set(codes)].sort((a, b) => a - b),
  );
});
