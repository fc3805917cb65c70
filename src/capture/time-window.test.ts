import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTimeBound, TimeWindow } from "./time-window.ts";

const SECOND = 1_000_000_000n;
/** date -u -d 2026-11-30T22:00:00Z +%s */
const TEN_PM = 1_796_076_000n * SECOND;

test("durations count from the first packet, RFC 3339 times from 1970", () => {
  const durations: [string, bigint][] = [
    ["90s", 90n * SECOND],
    ["90", 90n * SECOND],
    ["1.5m", 90n * SECOND],
    ["250ms", SECOND / 4n],
    ["7us", 7_000n],
    ["2h", 7200n * SECOND],
    ["0.000000001", 1n],
    ["0", 0n],
  ];
  for (const [text, ns] of durations) assert.deepEqual(parseTimeBound(text), { from: "first-packet", ns }, text);
  const moments: [string, bigint][] = [
    ["2026-11-30T22:00:00Z", TEN_PM],
    ["2026-11-30t22:00:00z", TEN_PM],
    ["2026-11-30 22:00:00Z", TEN_PM],
    ["2026-12-01T00:30:00+02:30", TEN_PM],
    ["2026-11-30T22:00:00.000000001Z", TEN_PM + 1n],
    ["2026-11-30T22:00:00.5Z", TEN_PM + SECOND / 2n],
  ];
  for (const [text, ns] of moments) assert.deepEqual(parseTimeBound(text), { from: "epoch", ns }, text);
});

test("what is neither is none", () => {
  for (const text of [
    "",
    "soon",
    "-1s",
    "5 days",
    "1e3",
    "22:00",
    "2026-11-30",
    "2026-11-30T22:00:00",
    "2026-02-31T00:00:00Z",
    "2026-11-30T25:00:00Z",
    "2026-11-30T22:00:00.0000000001Z",
  ]) {
    assert.equal(parseTimeBound(text), null, text);
  }
});

test("both ends are included; a packet without a time is where the one before it was", () => {
  const inside = (first: string | null, last: string | null, times: readonly (bigint | null)[]): boolean[] => {
    const bound = (text: string | null) => (text === null ? null : parseTimeBound(text));
    const window = new TimeWindow({ first: bound(first), last: bound(last) });
    return times.map((time) => window.has(time));
  };
  const times = [0n, 1n, null, 2n, 3n, null, 1n].map((time) => (time === null ? null : TEN_PM + time * SECOND));
  assert.deepEqual(inside("1", "2s", times), [false, true, true, true, false, false, true]);
  assert.deepEqual(inside(null, "2026-11-30T22:00:01Z", times), [true, true, true, false, false, false, true]);
  assert.deepEqual(inside("2026-11-30T22:00:03Z", null, times), [false, false, false, false, true, true, false]);
  assert.deepEqual(
    inside(null, null, times),
    times.map(() => true),
  );
  // Before any time is known, nothing is before the window unless it has a beginning.
  assert.deepEqual(inside("0", null, [null, 5n, null]), [false, true, true]);
  assert.deepEqual(inside(null, "0", [null, 5n, 6n]), [true, true, false]);
});
