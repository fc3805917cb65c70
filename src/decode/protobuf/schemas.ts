import type protobuf from "protobufjs";
import { FIELD_KIND, type FieldKind, type FieldType, type MessageType, type Schemas } from "./message-type.ts";

/** Fields up to this number stand in an array by number, those above in a map. */
const DENSE_FIELDS = 256;

/**
 * What a walk needs of a protobufjs root: its message types and gRPC methods. Extensions are fields of the type that they extend, by their
 * full name. What is added to the root later is not seen.
 * @throws protobufjs' error where the root refers to a type that it does not have.
 */
export function schemasOf(root: protobuf.Root): Schemas {
  const messages = new Map<string, FlatType>();
  const methods = new Map<string, { readonly request: MessageType; readonly response: MessageType }>();
  const types: protobuf.Type[] = [];
  const services: protobuf.Service[] = [];
  root.resolveAll();
  collect(root, types, services);

  // Two rounds, as types refer to each other in circles.
  for (const type of types) messages.set(type.fullName, new FlatType(nameOf(type)));
  for (const type of types) {
    for (const field of type.fieldsArray) messages.get(type.fullName)?.add(field.id, fieldType(field, messages));
  }
  for (const service of services) {
    for (const method of service.methodsArray) {
      method.resolve();
      const request = messageOf(method.resolvedRequestType, messages);
      const response = messageOf(method.resolvedResponseType, messages);
      if (request !== null && response !== null) methods.set(`/${nameOf(service)}/${method.name}`, { request, response });
    }
  }
  return {
    method: (path) => methods.get(path) ?? null,
    message: (name) => messages.get(`.${name}`) ?? null,
  };
}

class FlatType implements MessageType {
  readonly name: string;
  readonly namesItself: boolean;
  readonly #dense: (FieldType | undefined)[] = [];
  #sparse: Map<number, FieldType> | null = null;

  constructor(name: string, namesItself = false) {
    this.name = name;
    this.namesItself = namesItself;
  }

  field(number: number): FieldType | undefined {
    return number < this.#dense.length ? this.#dense[number] : this.#sparse?.get(number);
  }

  add(number: number, field: FieldType): void {
    if (number >= DENSE_FIELDS) {
      this.#sparse ??= new Map();
      this.#sparse.set(number, field);
      return;
    }
    while (this.#dense.length <= number) this.#dense.push(undefined);
    this.#dense[number] = field;
  }
}

function collect(namespace: protobuf.NamespaceBase, types: protobuf.Type[], services: protobuf.Service[]): void {
  for (const object of namespace.nestedArray) {
    // By name and not by `instanceof`: the root may come from another copy of protobufjs.
    const { className } = object.constructor as unknown as { readonly className: string };
    if (className === "Type") types.push(object as protobuf.Type);
    if (className === "Service") services.push(object as protobuf.Service);
    if ("nestedArray" in object) collect(object as protobuf.NamespaceBase, types, services);
  }
}

function fieldType(field: protobuf.FieldBase, messages: ReadonlyMap<string, FlatType>): FieldType {
  field.resolve();
  const name = (field.protoName ?? field.name).replace(/^\./, "");
  if (!field.map) return { name, ...valueType(field, messages) };
  const { keyType } = field as protobuf.MapField;
  const entry = new FlatType(`${nameOf(field.parent)}.${entryName(name)}`, keyType === "string");
  entry.add(1, { name: "key", kind: kindOf(keyType), message: null });
  // A map's value is never a group, whatever the file says of messages in general.
  const value = valueType(field, messages);
  entry.add(2, { name: "value", ...value, kind: value.message === null ? value.kind : FIELD_KIND.message });
  return { name, kind: FIELD_KIND.message, message: entry };
}

function valueType(field: protobuf.FieldBase, messages: ReadonlyMap<string, FlatType>): Pick<FieldType, "kind" | "message"> {
  const message = messageOf(field.resolvedType, messages);
  // Of groups, and of messages whose edition's features say so. The property is not in protobufjs' declarations.
  const { delimited } = field as { readonly delimited?: boolean };
  if (message !== null) return { kind: delimited ? FIELD_KIND.group : FIELD_KIND.message, message };
  return { kind: field.resolvedType === null ? kindOf(field.type) : FIELD_KIND.varint, message: null };
}

function kindOf(type: string): FieldKind {
  switch (type) {
    case "string":
      return FIELD_KIND.string;
    case "bytes":
      return FIELD_KIND.bytes;
    case "fixed32":
    case "sfixed32":
    case "float":
      return FIELD_KIND.fixed32;
    case "fixed64":
    case "sfixed64":
    case "double":
      return FIELD_KIND.fixed64;
    default:
      return FIELD_KIND.varint;
  }
}

function messageOf(type: protobuf.ReflectionObject | null, messages: ReadonlyMap<string, FlatType>): FlatType | null {
  return type === null ? null : (messages.get(type.fullName) ?? null);
}

/** As protoc names a map's entries: `string_map` has `StringMapEntry`. */
function entryName(field: string): string {
  return `${field.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

/** Full name without the leading dot. */
function nameOf(object: protobuf.ReflectionObject | null): string {
  return object === null ? "" : object.fullName.replace(/^\./, "");
}
