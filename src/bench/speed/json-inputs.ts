import { Seeded } from "./seeded.ts";

/** A JSON document to read: its octets, and what is in it. */
export interface JsonInput {
  readonly bytes: Buffer;
  readonly value: readonly unknown[];
  /** How it was written: `JSON.stringify(value, null, indent)`. */
  readonly indent: number;
  /** Characters of base64 strings in it. */
  readonly base64Octets: number;
}

/** About 1 MB of articles, indented by two: prose in several scripts, with escapes. */
export function textDocument(): JsonInput {
  const seeded = new Seeded(1);
  const value = Array.from({ length: 600 }, (_, id) => ({
    id,
    title: sentence(seeded, 6),
    author: { name: seeded.of(NAMES), verified: seeded.below(2) === 0 },
    paragraphs: Array.from({ length: 4 }, () => sentence(seeded, 60)),
    score: seeded.below(10_000) / 100,
  }));
  return written(value, 2, 0);
}

/** About 1 MB without white space, as APIs answer: many short keys, numbers, identifiers, times. */
export function apiDocument(): JsonInput {
  const seeded = new Seeded(2);
  const value = Array.from({ length: 3500 }, (_, id) => ({
    id,
    uid: seeded.octets(8).toString("hex"),
    state: seeded.of(["open", "closed", "merged"]),
    created_at: `2026-11-${10 + seeded.below(20)}T${10 + seeded.below(14)}:${10 + seeded.below(50)}:00Z`,
    url: `https://api.example.com/items/${id}?page=${seeded.below(90)}`,
    size: [seeded.below(4000), seeded.below(4000)],
    price: seeded.below(100_000) / 100,
    flags: { admin: seeded.below(2) === 0, seen: true, parent: null },
    labels: Array.from({ length: seeded.below(4) }, () => seeded.letters(5)),
  }));
  return written(value, 0, 0);
}

/** About 4 MB: attachments of 1 KiB to 1 MiB as base64. */
export function base64Document(): JsonInput {
  const seeded = new Seeded(3);
  const value = ATTACHMENTS.map((octets, id) => ({
    id,
    name: `${seeded.letters(8)}.bin`,
    data: seeded.octets(octets).toString("base64"),
  }));
  return written(
    value,
    0,
    value.reduce((sum, { data }) => sum + data.length, 0),
  );
}

const NAMES = ["Ann Lee", "Grace Hopper", "Søren Ågård", "Ольга", "山田 花子", 'Zoë "Z" O\'Neil'];
const ATTACHMENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1].map((k) => k * 1024);
const ASIDES = ["\n", "\t", ' "so to say" ', " – ", "… ", " \\o/ ", " naïve ", " 漢字 ", ", "];

function sentence(seeded: Seeded, words: number): string {
  return `${seeded.words(words >> 1)}${seeded.of(ASIDES)}${seeded.words(words >> 1)}.`;
}

function written(value: readonly unknown[], indent: number, base64Octets: number): JsonInput {
  return { bytes: Buffer.from(JSON.stringify(value, null, indent)), value, indent, base64Octets };
}
