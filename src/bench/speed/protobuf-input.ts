import protobuf from "protobufjs";
import { Seeded } from "./seeded.ts";

/** Messages of one type. */
export interface ProtobufInput {
  readonly root: protobuf.Root;
  readonly type: protobuf.Type;
  readonly messages: readonly Uint8Array[];
}

/** Field numbers below 16, so that each tag is one octet and tags can be counted. */
const SCHEMA = `
syntax = "proto3";
package bench.v1;
message Order {
  uint32 id = 1;
  string customer = 2;
  Address address = 3;
  repeated Line lines = 4;
  map<string, string> labels = 5;
  repeated uint32 ratings = 6;
  double total = 7;
  bool paid = 8;
  bytes token = 9;
  fixed32 checksum = 10;
}
message Address { string street = 1; string city = 2; uint32 zip = 3; }
message Line { string sku = 1; uint32 quantity = 2; double price = 3; string note = 4; }
`;

/** 1,000 orders of about half a kilobyte: nested messages, a map, packed and fixed numbers, texts up to some sixty octets. */
export function orders(): ProtobufInput {
  const { root } = protobuf.parse(SCHEMA);
  const type = root.lookupType("bench.v1.Order");
  const seeded = new Seeded(4);
  const messages = Array.from({ length: 1000 }, (_, id) => {
    // A copy: the writer's own octets lie in a pool of its own.
    return Uint8Array.from(type.encode(type.fromObject(order(seeded, id))).finish());
  });
  return { root, type, messages };
}

function order(seeded: Seeded, id: number): Record<string, unknown> {
  return {
    id: id * 7919,
    customer: seeded.words(2),
    address: { street: seeded.words(3), city: seeded.letters(9), zip: 10_000 + seeded.below(60_000) },
    lines: Array.from({ length: 4 + seeded.below(5) }, () => ({
      sku: seeded.letters(12),
      quantity: 1 + seeded.below(200),
      price: seeded.below(50_000) / 100,
      note: seeded.words(1 + seeded.below(8)),
    })),
    labels: { channel: seeded.letters(6), region: seeded.letters(4) },
    ratings: Array.from({ length: 8 }, () => seeded.below(1000)),
    total: seeded.below(60_000) / 100,
    paid: true,
    token: seeded.octets(16),
    checksum: seeded.below(65_536) * 65_521,
  };
}
