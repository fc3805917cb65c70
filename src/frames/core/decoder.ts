/** The one shape of every event-returning decoder: it sees one direction of one octet space, in order. */
export interface Decoder<E> {
  /**
   * Take the next octets.
   * @param bytes borrowed until this call returns; the decoder copies what it must keep.
   * @returns events in stream order; empty when more octets are needed.
   */
  push(bytes: Uint8Array): readonly E[];
  /** The peer closed its side: report what was left unfinished. Call once, last. */
  end(): readonly E[];
}
