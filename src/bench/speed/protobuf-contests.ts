import type { MessageType } from "../../decode/protobuf/message-type.ts";
import { ProtobufDecoder } from "../../decode/protobuf/protobuf-decoder.ts";
import { schemasOf } from "../../decode/protobuf/schemas.ts";
import { type Contest, type ContestPlan, verify } from "./contest.ts";
import { BASE, CountingSink } from "./counting-sink.ts";
import { orders } from "./protobuf-input.ts";

const WITH_SCHEMA = "protobuf walk with schema";
const WITHOUT_SCHEMA = "protobuf walk without schema";
const THEIRS = "protobufjs decode";

/** The bound for inputs that are about walking, and not about skipping strings. */
const MEAN_FIELD_OCTETS = 64;

/** Attributing every octet of protobuf messages, against building their objects. */
export const PROTOBUF_CONTESTS: readonly ContestPlan[] = [
  { input: "messages of 0.5 KB", contenders: [WITH_SCHEMA, WITHOUT_SCHEMA, THEIRS], prepare: contest },
];

function contest(): Contest {
  const { root, type, messages } = orders();
  const octets = messages.reduce((sum, message) => sum + message.length, 0);
  const schema = schemasOf(root).message("bench.v1.Order");
  verify(schema !== null, "the schema has the type");
  const sink = new CountingSink();
  const decoder = new ProtobufDecoder(sink, BASE);
  const walk = (expected: MessageType | null): number => {
    sink.reset();
    for (const message of messages) {
      decoder.expect(expected, message.length);
      decoder.begin();
      decoder.push(message, 0, message.length);
      decoder.end(false);
    }
    return sink.octets;
  };
  const decode = (): number => {
    let lines = 0;
    for (const message of messages) lines += (type.decode(message) as unknown as { lines: readonly unknown[] }).lines.length;
    return lines;
  };

  // All have read all of it: every octet has a leaf, and what was decoded encodes to the same octets.
  verify(walk(null) === octets && sink.notes === 0, "the walk's counts without a schema sum to the messages");
  verify(walk(schema) === octets && sink.notes === 0, "the walk's counts with a schema sum to the messages");
  verify(octets / sink.of("protobuf.tag") <= MEAN_FIELD_OCTETS, "the mean field is small");
  const same = messages.every((message) => Buffer.from(type.encode(type.decode(message)).finish()).equals(message));
  verify(same, "decoded messages encode to the same octets");
  return {
    octets,
    contenders: [
      { what: WITH_SCHEMA, reference: THEIRS, run: () => walk(schema), expected: octets },
      { what: WITHOUT_SCHEMA, reference: THEIRS, run: () => walk(null), expected: octets },
      { what: THEIRS, reference: null, run: decode, expected: decode() },
    ],
  };
}
