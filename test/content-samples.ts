import fc from "fast-check";

/** A body, and what its head says of it. */
export interface ContentSample {
  /** null: no Content-Type. */
  readonly type: string | null;
  readonly coding: string | null;
  readonly octets: Uint8Array;
}

const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "utf8"));
const base64 = fc.uint8Array({ minLength: 60, maxLength: 90 }).map((octets) => Buffer.from(octets).toString("base64"));
/** Text for a JSON value: words, escapes, base64 with and without escaped slashes. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"\\u00e9\\/\\n"',
    '"data:image/png;base64,iVBORw0KGgoAAAAAAAAAAA=="',
    '"eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZW1vPz4ifQ."',
  ),
  base64.map((value) => JSON.stringify(value)),
  base64.map((value) => JSON.stringify(value).replaceAll("/", "\\/")),
);
const json = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), text, fc.constantFrom(0, 1, "\t"), fc.constantFrom("k", 'a\\"b', "password"))
  .map(([value, string, space, key]) => `{"${key}": ${JSON.stringify(value, null, space)}, "s":${string}}`);
/** A JSON text that begins with its brace. */
export const jsonObject: fc.Arbitrary<Uint8Array> = json.map(utf8);
/** JSON texts, or nearly so: with a byte order mark, a guard, white space, and something behind. */
export const jsonSample: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom("", "\ufeff", ")]}',\n", "for(;;);", ")]", " "),
    fc.array(json, { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "\n", "}", " x", '"'),
  )
  .map(([before, documents, after]) => utf8(before + documents.join("\n") + after));

/** Fields as they stand on the wire, well formed or nearly so. */
const field = fc.oneof(
  fc.constantFrom(
    [0x08, 0x96, 0x01],
    [0x0d, 1, 2, 3, 4],
    [0x09, 1, 2, 3, 4, 5, 6, 7, 8],
    [0x13, 0x08, 0x01, 0x14],
    [0x12, 0x03, 0x61, 0x62, 0x63],
  ),
  fc.uint8Array({ maxLength: 12 }).map((octets) => [0x2a, octets.length, ...octets]),
  fc
    .array(fc.nat(127), { maxLength: 6 })
    .map((numbers) => [0x22, numbers.length * 2, ...numbers.flatMap((number) => [0x08, number])]),
  fc.constantFrom([0x22, 0x04, 0x0a, 0x02, 0x08, 0x01], [0x0b, 0x08, 0x01], [0x07], [0x12, 0x7f], [0x00, 0x01]),
);
/** A protobuf message, or nearly one. */
export const protobufSample: fc.Arbitrary<Uint8Array> = fc
  .array(field, { maxLength: 6 })
  .map((fields) => Uint8Array.from(fields.flat()));

/** Bodies of every kind that is read, and of kinds that are not. */
export const contentSample: fc.Arbitrary<ContentSample> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("application/json", "application/problem+json; charset=utf-8", "application/x-ndjson", null),
      jsonSample,
    )
    .map(([type, octets]) => ({ type, coding: null, octets })),
  fc
    .tuple(fc.constantFrom("application/x-protobuf", 'application/protobuf; messageType="item.v1.Item"'), protobufSample)
    .map(([type, octets]) => ({ type, coding: null, octets })),
  fc.uint8Array({ maxLength: 30 }).map((octets) => ({ type: "application/json", coding: "gzip", octets })),
  fc
    .tuple(fc.constantFrom("text/plain", "image/png", "application/x-unheard-of", null), fc.uint8Array({ maxLength: 30 }))
    .map(([type, octets]) => ({ type, coding: null, octets })),
);
