import { createRequire } from "node:module";
import { type FieldLine, type FieldToEncode, HpackDecoder, HpackEncoder, type HpackSink } from "http2-frame-parser";
import { type Contest, type ContestPlan, verify } from "./contest.ts";
import { Seeded } from "./seeded.ts";

const OURS = "HPACK decode";
const THEIRS = "hpack.js";
const BLOCKS = 1000;
const TABLE_OCTETS = 4096;

/** hpack.js has no types. */
const otherHpack = createRequire(import.meta.url)("hpack.js") as {
  decompressor: { create(options: { table: { maxSize: number } }): OtherDecompressor };
};
interface OtherDecompressor {
  write(octets: Buffer): void;
  execute(): void;
  read(): { readonly name: string; readonly value: string } | null;
}

/** Decoding field blocks into names and values; ours also says what each octet was. */
export const HPACK_CONTESTS: readonly ContestPlan[] = [
  plan("12 fields, all indexed", indexedFields),
  plan("12 Huffman literals", huffmanFields),
  plan("14 fields, mixed", mixedFields),
];

type FieldsOf = (seeded: Seeded) => readonly FieldToEncode[];

function plan(input: string, fieldsOf: FieldsOf): ContestPlan {
  return { input, contenders: [OURS, THEIRS], prepare: () => contest(fieldsOf) };
}

function contest(fieldsOf: FieldsOf): Contest {
  const seeded = new Seeded(5);
  const encoder = new HpackEncoder();
  const lists = Array.from({ length: BLOCKS }, () => fieldsOf(seeded));
  const blocks = lists.map((fields) => Buffer.from(encoder.encode(fields)));
  const octets = blocks.reduce((sum, block) => sum + block.length, 0);
  const sink = new CountingSink();
  const ours = (): number => {
    sink.reset();
    const decoder = new HpackDecoder();
    for (const block of blocks) decoder.decode(block, 0, block.length, sink);
    return sink.textOctets;
  };
  const theirs = (): number => {
    let textOctets = 0;
    const decoder = otherHpack.decompressor.create({ table: { maxSize: TABLE_OCTETS } });
    for (const block of blocks) {
      decoder.write(block);
      decoder.execute();
      for (let line = decoder.read(); line !== null; line = decoder.read()) textOctets += line.name.length + line.value.length;
    }
    return textOctets;
  };
  const textOctets = lists.flat().reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  verify(ours() === textOctets && theirs() === textOctets, "both decoders find the field lines that were encoded");
  verify(sink.codedOctets === octets, "the octets of all representations sum to the blocks");
  return {
    octets,
    contenders: [
      { what: OURS, reference: THEIRS, run: ours, expected: textOctets },
      { what: THEIRS, reference: null, run: theirs, expected: textOctets },
    ],
  };
}

/** The same in every block: from the second on, one index each. */
function indexedFields(): readonly FieldToEncode[] {
  return [
    { name: ":method", value: "GET" },
    { name: ":scheme", value: "https" },
    { name: ":path", value: "/" },
    { name: ":authority", value: "www.example.com" },
    { name: "accept-encoding", value: "gzip, deflate" },
    ...Array.from({ length: 7 }, (_, index) => ({ name: `x-field-${index}`, value: `value number ${index}` })),
  ];
}

/** Names and values spelled out and Huffman-coded, never indexed. */
function huffmanFields(seeded: Seeded): readonly FieldToEncode[] {
  return Array.from({ length: 12 }, () => ({
    name: seeded.letters(12),
    value: seeded.words(4),
    representation: "never",
    newName: true,
  }));
}

/** As a client's requests are: most lines indexed, some that change each time. */
function mixedFields(seeded: Seeded): readonly FieldToEncode[] {
  return [
    { name: ":method", value: "POST" },
    { name: ":scheme", value: "https" },
    { name: ":path", value: `/v1/items/${seeded.below(50_000)}`, representation: "literal" },
    { name: ":authority", value: "api.example.com" },
    { name: "user-agent", value: "example/1.0 (linux; x86_64)" },
    { name: "accept", value: "application/json" },
    { name: "accept-encoding", value: "gzip, deflate" },
    { name: "content-type", value: "application/json" },
    { name: "content-length", value: `${seeded.below(9000)}`, representation: "literal" },
    { name: "authorization", value: "Bearer 6b1f0c2e9a7d4855", representation: "indexed" },
    { name: "x-tenant", value: "blue" },
    { name: "x-retry", value: "0" },
    {
      name: "traceparent",
      value: `00-${seeded.octets(16).toString("hex")}-${seeded.octets(8).toString("hex")}-01`,
      representation: "literal_indexed",
    },
    { name: "cache-control", value: "no-cache" },
  ];
}

/** Adds up what the decoder announces. */
class CountingSink implements HpackSink {
  /** Of names and values as they are read. */
  textOctets = 0;
  /** Of representations as they stand in the blocks. */
  codedOctets = 0;

  fieldLine({ nameLength, valueLength, prefixOctets, nameOctets, valueOctets }: FieldLine): void {
    this.textOctets += nameLength + valueLength;
    this.codedOctets += prefixOctets + nameOctets + valueOctets;
  }

  sizeUpdate(_size: number, octets: number): void {
    this.codedOctets += octets;
  }

  fault(): void {}

  reset(): void {
    this.textOctets = 0;
    this.codedOctets = 0;
  }
}
