import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { HpackDecoder } from "./hpack-decoder.ts";

/** Its ORIGIN.md: decode every case of a file in order with one context; `header_table_size` changes the limit before that case. */
interface Story {
  readonly cases: readonly {
    readonly wire: string;
    readonly header_table_size?: number | null;
    readonly headers: readonly Readonly<Record<string, string>>[];
  }[];
}

const FOLDER = ["corpora", "hpack-test-case"] as const;
const skip = skipWithoutShared(...FOLDER);

/** Ten encoders; raw-data has header lists without wire octets. */
const encoders = () =>
  readdirSync(shared(...FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "raw-data")
    .map((entry) => entry.name);

test("hpack-test-case: every story decodes to its headers, and each block's parts sum to its length", { skip }, () => {
  let stories = 0;
  let blocks = 0;
  for (const encoder of encoders()) {
    for (const file of readdirSync(shared(...FOLDER, encoder))) {
      stories++;
      const story = JSON.parse(readFileSync(shared(...FOLDER, encoder, file), "utf8")) as Story;
      const decoder = new HpackDecoder();
      for (const [index, { wire, headers, header_table_size: limit }] of story.cases.entries()) {
        blocks++;
        const at = `${encoder}/${file} case ${index}`;
        if (limit !== undefined && limit !== null) decoder.setMaxTableSize(limit);
        const octets = Buffer.from(wire, "hex");
        const block = decoder.decodeBlock(octets);
        assert.deepEqual(block.violations, [], at);
        const text = (octetString: string | null) => Buffer.from(octetString ?? "", "latin1").toString("utf8");
        assert.deepEqual(
          block.lines.map(({ name, value }) => ({ [text(name)]: text(value) })),
          headers,
          at,
        );
        const lines = block.lines.reduce((sum, line) => sum + line.prefixOctets + line.nameOctets + line.valueOctets, 0);
        assert.equal(
          block.sizeUpdates.reduce((sum, update) => sum + update.octets, lines),
          octets.length,
          at,
        );
      }
    }
  }
  // FILES.tsv lists 123 files, 12 of them in raw-data.
  assert.equal(stories, 111);
  assert.ok(blocks > 2000);
});
