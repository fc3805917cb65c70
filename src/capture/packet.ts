/** A packet as its capture has it. */
export interface Packet {
  /** From 1, in the order of the input, as tshark numbers frames. */
  readonly number: number;
  /** Nanoseconds since 1970 UTC; null: its block has no time (a simple packet). */
  readonly timeNs: bigint | null;
  /** The LINKTYPE registry's number of what the octets begin with. */
  readonly linkType: number;
  /** The octets that were captured; borrowed until the call returns. */
  readonly octets: Uint8Array;
  /** Octets that it had on the wire: more than `octets.length` when it was cut (snaplen). */
  readonly length: number;
  /** Octets of frame check sequence at its end, where the capture says so; else 0. */
  readonly fcsOctets: number;
}

/** What is told of a capture as it is read. */
export interface CaptureHandler {
  packet(packet: Packet): void;
  /**
   * Something odd that does not end the reading, or damage that does.
   * @param offset in the capture's own octets (after decompression). @param text one line, no octets of the wire in it.
   */
  note(code: string, severity: "warning" | "info", offset: number, text: string): void;
}

/** Reads one capture of whatever format, in pieces of any size; streaming, with bounded memory. Never throws on input. */
export interface CaptureReader {
  /** Take the next octets; borrowed until the call returns. */
  push(octets: Uint8Array): void;
  /** The capture is over: what is left unfinished is noted. */
  end(): void;
}
