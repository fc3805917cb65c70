import { FIELD_KIND, type FieldKind } from "./message-type.ts";

/** Wire types, the low three bits of a tag: protobuf.dev, "Encoding", "Message Structure". 6 and 7 are not used. */
export const WIRE = { varint: 0, i64: 1, len: 2, startGroup: 3, endGroup: 4, i32: 5 } as const;

/** Octets that must follow a tag at least, by wire type. No number is enough for one that is not used. */
export const OCTETS_NEEDED: readonly number[] = [1, 8, 1, 0, 0, 4, Number.NaN, Number.NaN];

/** A varint of 64 bits at most. */
export const VARINT_OCTETS = 10;
/** A tag is a varint of 32 bits: a field number up to 2^29 - 1 and a wire type. */
export const TAG_OCTETS = 5;

/** Can a field of this kind stand as this wire type? Numbers may be packed, and packed ones may stand alone, whatever the schema says. */
export function agrees(kind: FieldKind, wire: number): boolean {
  switch (kind) {
    case FIELD_KIND.varint:
      return wire === WIRE.varint || wire === WIRE.len;
    case FIELD_KIND.fixed32:
      return wire === WIRE.i32 || wire === WIRE.len;
    case FIELD_KIND.fixed64:
      return wire === WIRE.i64 || wire === WIRE.len;
    case FIELD_KIND.group:
      return wire === WIRE.startGroup;
    case FIELD_KIND.string:
    case FIELD_KIND.bytes:
    case FIELD_KIND.message:
      return wire === WIRE.len;
  }
}
