import assert from "node:assert/strict";
import { test } from "node:test";
import { speedTable } from "./speed-table.ts";

test("the table of a report", () => {
  const spread = (min: number, median: number, max: number) => ({ min, median, max });
  const text = speedTable({
    started: "2026-11-30T12:00:00.000Z",
    node: "v20.20.2",
    cpu: "a processor",
    cores: 2,
    rounds: 9,
    sample_ms: 80,
    rows: [
      {
        what: "ours",
        input: "text",
        octets: 5,
        rounds: 9,
        mb_per_s: spread(1234.4, 1500, 12_345.6),
        reference: "theirs",
        ratio: spread(1, 2.345, 3),
      },
      { what: "theirs", input: "text", octets: 5, rounds: 3, mb_per_s: spread(0.96, 9.64, 98.76), reference: null, ratio: null },
    ],
    skipped: [{ rows: ["a: b", "c: b"], reason: "c is not installed" }],
  });
  assert.equal(
    text,
    [
      "what    input   MB/s       min – max  ratio    min – max  to",
      "ours    text   1,500  1,234 – 12,346  2.35×  1.00 – 3.00  theirs",
      "theirs  text     9.6     0.96 – 98.8",
      "",
      "Not measured (c is not installed): a: b; c: b.",
      "3 rounds of theirs, a run each.",
      "Medians of 9 interleaved rounds of at least 80 ms; MB = 10^6 octets; ratios round by round.",
      "Node 20.20.2, 2 cores of a processor.",
      "",
    ].join("\n"),
  );
});
