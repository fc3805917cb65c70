/**
 * Reads one body or message after another and announces every octet to a ContentSink by the end of the `push` that brought it: it holds
 * none back. What it learns later it says by `moved`. Never throws on wire input.
 */
export interface ContentDecoder {
  /** A new body or message begins. */
  begin(): void;
  /** Take `bytes[from, to)`; borrowed until the call returns. */
  push(bytes: Uint8Array, from: number, to: number): void;
  /** It is over. @param cut it ended before its time: a lost peer, a reset; then an unfinished unit keeps the categories it has. */
  end(cut: boolean): void;
}
