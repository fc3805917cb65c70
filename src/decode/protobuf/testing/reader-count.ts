import protobuf from "protobufjs";
import type { ContentLeaf } from "../../content/content-leaf.ts";

/** Octets by leaf, absent when 0. */
export type Counts = Partial<Record<ContentLeaf, number>>;

const WIRE_OF = { varint: 0, fixed64: 1, len: 2, group: 3, fixed32: 5 } as const;

/**
 * A second opinion: walks a well-formed message with protobufjs' Reader and its reflection, one field after another.
 * Knows no unknown fields: it is for what protobufjs has encoded.
 */
export function countByReader(type: protobuf.Type, octets: Uint8Array): Counts {
  const counts: Counts = {};
  fields(protobuf.Reader.create(octets), octets.length, type, counts);
  return counts;
}

function fields(reader: protobuf.Reader, end: number, type: protobuf.Type | protobuf.MapField, counts: Counts): void {
  while (reader.pos < end) {
    const at = reader.pos;
    const tag = reader.uint32();
    const wire = tag & 7;
    if (wire === 4) {
      add(counts, "protobuf.group", reader.pos - at);
      return;
    }
    add(counts, wire === WIRE_OF.group ? "protobuf.group" : "protobuf.tag", reader.pos - at);
    value(reader, wire, fieldOf(type, tag >>> 3), counts);
  }
}

type Value = protobuf.MapField | { readonly name: string; readonly message: protobuf.Type | null };

function value(reader: protobuf.Reader, wire: number, field: Value, counts: Counts): void {
  const at = reader.pos;
  if (wire === WIRE_OF.group) {
    fields(reader, Number.POSITIVE_INFINITY, messageOf(field), counts);
    return;
  }
  if (wire !== WIRE_OF.len) {
    reader.skipType(wire);
    add(counts, wire === WIRE_OF.varint ? "protobuf.varint" : "protobuf.fixed", reader.pos - at);
    return;
  }
  const length = reader.uint32();
  add(counts, "protobuf.length", reader.pos - at);
  if (field instanceof protobuf.MapField || field.message !== null) {
    fields(reader, reader.pos + length, messageOf(field), counts);
    return;
  }
  add(counts, packedLeaf(field.name), length);
  reader.skip(length);
}

function packedLeaf(name: string): ContentLeaf {
  if (name === "string") return "protobuf.string";
  if (name === "bytes") return "protobuf.bytes";
  return /fixed|float|double/.test(name) ? "protobuf.fixed" : "protobuf.varint";
}

function messageOf(field: Value): protobuf.Type | protobuf.MapField {
  const message = field instanceof protobuf.MapField ? field : field.message;
  if (message === null) throw new TypeError("the field is no message");
  return message;
}

function fieldOf(type: protobuf.Type | protobuf.MapField, number: number): Value {
  if (type instanceof protobuf.MapField) return number === 1 ? { name: type.keyType, message: null } : valueOfField(type);
  const field = type.fieldsById[number]?.resolve();
  if (field === undefined) throw new TypeError(`${type.fullName} has no field ${number}`);
  return field instanceof protobuf.MapField ? field : valueOfField(field);
}

function valueOfField(field: protobuf.FieldBase): Value {
  return { name: field.type, message: field.resolvedType instanceof protobuf.Type ? field.resolvedType : null };
}

function add(counts: Counts, leaf: ContentLeaf, octets: number): void {
  if (octets > 0) counts[leaf] = (counts[leaf] ?? 0) + octets;
}
