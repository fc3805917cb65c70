/** What a reader of one format has learned of its capture so far. */
export interface CaptureFacts {
  readonly format: "pcap" | "pcapng";
  /** The file header, or the first section header, was read: this is a capture, even if nothing else follows. */
  readonly begun: boolean;
  /** Packets there were, those passed over for their length or damage included. */
  readonly packets: number;
  /** Its end is missing, or damage ended the reading. */
  readonly cut: boolean;
  /** Blocks by name (pcapng; empty for pcap), all that have no name under `unknown`. */
  readonly blocks: ReadonlyMap<string, number>;
  /** Comments on sections, interfaces, statistics and packets (pcapng). */
  readonly comments: number;
}

/** The longest packet that is read; longer ones are passed over by their length. */
export const LONGEST_PACKET = 16 * 1024 * 1024;
