import { LEAF } from "../content/content-leaf.ts";

/** What an octet of a message can be, as small numbers: a count by leaf is then an array of {@link WIRE_LEAVES} numbers. */
export const TAG = 0;
export const LENGTH = 1;
export const VARINT = 2;
export const FIXED = 3;
export const STRING = 4;
export const BYTES = 5;
export const GROUP = 6;
export const MALFORMED = 7;
export const UNDECODED = 8;

/** How many leaves there are. */
export const WIRE_LEAVES = 9;

/** The content leaf of each: `LEAF_OF[TAG]` is `LEAF["protobuf.tag"]`. */
export const LEAF_OF: readonly number[] = [
  LEAF["protobuf.tag"],
  LEAF["protobuf.length"],
  LEAF["protobuf.varint"],
  LEAF["protobuf.fixed"],
  LEAF["protobuf.string"],
  LEAF["protobuf.bytes"],
  LEAF["protobuf.group"],
  LEAF["protobuf.malformed"],
  LEAF.undecoded,
];
