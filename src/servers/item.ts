/** The demo's message, `item.v1.Item` of proto/item/v1/item.proto, as plain data. */
export interface Item {
  /** A safe integer, although the schema has int64: the JSON twin carries it as a number. */
  readonly id: number;
  readonly name: string;
  /** A safe integer, as `id`. */
  readonly count: number;
  readonly tags: readonly string[];
  readonly payload: Uint8Array;
}
