import protobuf from "protobufjs";

/** Fields of a message are set down to this depth. */
const MAX_LEVEL = 4;
const TEXTS = [
  "",
  "a",
  "image.png",
  "größer €5 😀",
  "\u0000",
  "zzzzzzzzzzzzzzzzzzzzzzzzzzzz",
  "line\nline\ttab",
  "x".repeat(200),
];

/** A random object of a type, as `type.fromObject` takes it. @param below a random integer from 0 to below the argument. */
export function randomMessage(type: protobuf.Type, below: (limit: number) => number, level = 0): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    field.resolve();
    const isMessage = field.resolvedType instanceof protobuf.Type;
    const set = field.required || below(isMessage ? 2 + level : 3) === 0;
    if (!set || (isMessage && level === MAX_LEVEL && !field.required)) continue;
    const one = () => randomValue(field, below, level);
    if (field instanceof protobuf.MapField)
      object[field.name] = Object.fromEntries(several(below, () => [mapKey(field, below), one()]));
    else object[field.name] = field.repeated ? several(below, one) : one();
  }
  return object;
}

function several<T>(below: (limit: number) => number, make: () => T): T[] {
  return Array.from({ length: 1 + below(4) }, make);
}

function mapKey(field: protobuf.MapField, below: (limit: number) => number): string {
  if (field.keyType === "string") return TEXTS[below(TEXTS.length)] as string;
  if (field.keyType === "bool") return String(below(2) === 0);
  return String(below(1000));
}

function randomValue(field: protobuf.FieldBase, below: (limit: number) => number, level: number): unknown {
  if (field.resolvedType instanceof protobuf.Type) return randomMessage(field.resolvedType, below, level + 1);
  if (field.resolvedType instanceof protobuf.Enum) return pick(Object.values(field.resolvedType.values), below);
  switch (field.type) {
    case "string":
      return pick(TEXTS, below);
    case "bytes":
      return Uint8Array.from({ length: below(3) === 0 ? below(40) : below(200) }, () => below(256));
    case "bool":
      return below(2) === 0;
    case "double":
    case "float":
      return below(1000) / 8 - 50;
    case "uint32":
    case "fixed32":
      return pick([0, 1, 127, 128, 16_384, 0xffff_ffff], below);
    case "uint64":
    case "fixed64":
      return pick(["0", "1", "300", "18446744073709551615"], below);
    case "int64":
    case "sint64":
    case "sfixed64":
      return pick(["0", "-1", "300", "-9223372036854775808"], below);
    default:
      return pick([0, 1, -1, 64, 128, -0x8000_0000, 0x7fff_ffff], below);
  }
}

function pick<T>(values: readonly T[], below: (limit: number) => number): T {
  return values[below(values.length)] as T;
}
