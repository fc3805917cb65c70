import { JsonDecoder } from "../../decode/json/json-decoder.ts";
import { type Contest, type ContestPlan, verify } from "./contest.ts";
import { BASE, CountingSink } from "./counting-sink.ts";
import { feed } from "./feed.ts";
import { apiDocument, base64Document, type JsonInput, textDocument } from "./json-inputs.ts";

const OURS = "JSON attribution";
const THEIRS = "JSON.parse(buffer.toString())";

/** Attributing every octet of a JSON document, against building its values. */
export const JSON_CONTESTS: readonly ContestPlan[] = [
  plan("text, indented, 1 MB", textDocument),
  plan("API answer, minified, 1 MB", apiDocument),
  plan("base64 strings, 4 MB", base64Document),
];

function plan(input: string, generate: () => JsonInput): ContestPlan {
  return { input, contenders: [OURS, THEIRS], prepare: () => contest(generate()) };
}

function contest({ bytes, value, indent, base64Octets }: JsonInput): Contest {
  const sink = new CountingSink();
  const decoder = new JsonDecoder(sink, BASE);
  const push = decoder.push.bind(decoder);
  const attribute = (): number => {
    sink.reset();
    decoder.begin();
    feed(bytes, push);
    decoder.end(false);
    return sink.octets;
  };
  const parse = (): number => (JSON.parse(bytes.toString()) as unknown[]).length;

  // Both have read all of it: every octet has a leaf, and the values built are those that were written.
  verify(attribute() === bytes.length && sink.notes === 0, "the decoder's counts sum to the document");
  const base64 = sink.of("json.base64.data") + sink.of("json.base64.inflation");
  verify(base64 === base64Octets, "the decoder finds the base64 strings and no others");
  verify(
    JSON.stringify(JSON.parse(bytes.toString()), null, indent) === bytes.toString(),
    "the parsed document is the one written",
  );
  return {
    octets: bytes.length,
    contenders: [
      { what: OURS, reference: THEIRS, run: attribute, expected: bytes.length },
      { what: THEIRS, reference: null, run: parse, expected: value.length },
    ],
  };
}
