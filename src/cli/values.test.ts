import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../proxy/listen-spec.ts";
import { parseChoice, parseCount, parseDuration, parsePort, parseSwitch } from "./values.ts";

test("durations", () => {
  const table: [string, number][] = [
    ["5s", 5000],
    ["500ms", 500],
    ["2m", 120_000],
    ["1h", 3_600_000],
    ["3", 3000],
    ["0.25", 250],
    ["1.5s", 1500],
    ["2147483647ms", 2_147_483_647],
  ];
  for (const [text, ms] of table) assert.equal(parseDuration("--duration", text), ms);
  for (const text of ["", "abc", "-1", "5 days", "0", "0.1ms", "2147483648ms", "1e3", "NaN"]) {
    assert.throws(() => parseDuration("--duration", text), UsageError, text);
  }
});

test("counts, ports, switches and choices", () => {
  assert.equal(parseCount("-c", "1"), 1);
  for (const text of ["0", "-1", "1.5", "", "x", "9007199254740993"])
    assert.throws(() => parseCount("-c", text), UsageError, text);
  assert.throws(() => parseCount("-c", "abc"), { message: '-c: "abc" is not a whole number ≥ 1' });
  assert.throws(() => parseDuration("--duration", "abc"), { message: /^--duration: "abc" is not a duration \(try / });
  assert.equal(parsePort("--grpc-port", "65535"), 65535);
  for (const text of ["65536", "-1", "x", ""]) assert.throws(() => parsePort("--grpc-port", text), UsageError, text);
  assert.deepEqual(
    ["1", "true", "YES", "0", "off", ""].map((text) => parseSwitch("X", text)),
    [true, true, true, false, false, false],
  );
  assert.throws(() => parseSwitch("WIRETALLY_NOTES", "maybe"), { message: 'WIRETALLY_NOTES: "maybe" is neither true nor false' });
  assert.throws(() => parseChoice("--trace", "frame", ["off", "frames"]), {
    message: '--trace: "frame" is not one of off, frames (did you mean frames?)',
  });
});
