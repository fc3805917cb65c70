import assert from "node:assert/strict";
import { test } from "node:test";
import { epochNs, microseconds, rfc3339 } from "./time.ts";

test("RFC 3339 with nine fractional digits", () => {
  assert.equal(rfc3339(0n, 0), "1970-01-01T00:00:00.000000000Z");
  // date -u -d @1700000000 +%FT%TZ: 2023-11-14T22:13:20Z
  assert.equal(rfc3339(1_700_000_000_000_000_001n, 998), "2023-11-14T22:13:20.000000999Z");
  assert.equal(rfc3339(1_700_000_000_000_000_000n, 1_999_999_999), "2023-11-14T22:13:21.999999999Z");
  assert.equal(rfc3339(0n, 1.9), "1970-01-01T00:00:00.000000001Z");
  assert.equal(rfc3339(-1n, 0), "1969-12-31T23:59:59.999999999Z");
});

test("and back", () => {
  assert.equal(epochNs("2023-11-14T22:13:20.000000999Z"), 1_700_000_000_000_000_999n);
  assert.equal(epochNs("1969-12-31T23:59:59.999999999Z"), -1n);
});

test("whole microseconds, cut off, never negative", () => {
  assert.equal(microseconds(0, 1_999), 1);
  assert.equal(microseconds(1_000, 1_000), 0);
  assert.equal(microseconds(5_000, 1_000), 0);
});
