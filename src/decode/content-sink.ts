/** Where the decoders of a body announce its octets: the frame or message that carries them knows their owner and level. */
export interface ContentSink {
  /** The next `octets` octets of content, at `bytes[from …)` (borrowed), are `category` (id). */
  content(category: number, octets: number, bytes: Uint8Array, from: number): void;
  /** One gRPC message is whole: `payload` octets after its 5-octet prefix. */
  message(payload: number, compressed: boolean): void;
  /** Content could only be guessed to be gRPC. */
  inferredGrpc(): void;
  /** The last 5 octets announced are a prefix with this illegal Compressed-Flag. */
  badFlag(flag: number): void;
}
