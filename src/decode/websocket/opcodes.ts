/** RFC 6455 §11.8: names of opcodes; those from 8 on are control frames (§5.5). */
export const OPCODE_NAMES: ReadonlyMap<number, string> = new Map([
  [0x0, "continuation"],
  [0x1, "text"],
  [0x2, "binary"],
  [0x8, "close"],
  [0x9, "ping"],
  [0xa, "pong"],
]);

/** The opcodes that a decoder tells apart. */
export const OPCODE = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8 } as const;

/** RFC 6455 §5.5: bit 3 is set. */
export function isControl(opcode: number): boolean {
  return opcode >= 0x8;
}
