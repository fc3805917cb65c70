/** How a field's value stands on the wire, as its type says. Scalars may be packed: then the same after one tag and length. */
export const FIELD_KIND = { varint: 0, fixed32: 1, fixed64: 2, string: 3, bytes: 4, message: 5, group: 6 } as const;
/** One of {@link FIELD_KIND}. */
export type FieldKind = (typeof FIELD_KIND)[keyof typeof FIELD_KIND];

/** A field of a message type. */
export interface FieldType {
  readonly name: string;
  readonly kind: FieldKind;
  /** Of `message` and `group`. */
  readonly message: MessageType | null;
}

/** A message type of a schema, as far as the walk needs it. Map entries are messages with fields 1 and 2. */
export interface MessageType {
  /** Full name without a leading dot: `item.v1.EchoRequest`. */
  readonly name: string;
  /** An entry of a map whose keys are texts: the schema cannot tell what its values are called. */
  readonly namesItself: boolean;
  /** @returns what the type says of a field number; undefined when it has none. */
  field(number: number): FieldType | undefined;
}

/** What a schema says about gRPC methods and messages. */
export interface Schemas {
  /** The types of a method; null when there is none. @param path a gRPC path such as `/item.v1.ItemService/Echo`. */
  method(path: string): { readonly request: MessageType; readonly response: MessageType } | null;
  /** A message type; null when there is none. @param name full, without a leading dot. */
  message(name: string): MessageType | null;
}
