import assert from "node:assert/strict";
import { test } from "node:test";
import { writeInteger } from "./integer.ts";

test("prefix integers: RFC 7541 C.1, and the borders of the prefix", () => {
  const cases: readonly (readonly [opcode: number, bits: number, value: number, hex: string])[] = [
    [0, 5, 10, "0a"],
    [0, 5, 1337, "1f9a0a"],
    [0, 8, 42, "2a"],
    [0x80, 7, 126, "fe"],
    [0x80, 7, 127, "ff00"],
    [0x80, 7, 128, "ff01"],
    [0x40, 6, 63 + 127, "7f7f"],
    [0x40, 6, 63 + 128, "7f8001"],
    [0, 4, 2 ** 32 - 1, "0ff0ffffff0f"],
  ];
  for (const [opcode, bits, value, hex] of cases) {
    const out: number[] = [];
    writeInteger(out, opcode, bits, value);
    assert.equal(Buffer.from(out).toString("hex"), hex, `${value} in ${bits} bits`);
  }
});
