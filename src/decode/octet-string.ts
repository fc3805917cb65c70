import { octetString, octetsOf } from "http2-frame-parser";

/**
 * An octet string of its own with the text of `text`, which may be a part of a longer one: engines keep the whole string alive for as
 * long as any part of it. For what outlives the line that it stood in.
 */
export function ownOctetString(text: string): string {
  return octetString(octetsOf(text), 0, text.length);
}
